//! A game as one self-contained page: no outside resources, usable by keyboard, on a phone, and by a screen reader.

use super::super::referee::quoted;
use super::Frame;
use player::reversi::square::Squares;
use std::fmt::Write as _;

/// A fall of the mover's value by so many discs is marked as a mistake.
const MISTAKE: i32 = 4;

/// The page for a game.
pub fn page(frames: &[Frame]) -> String {
    let mut data = String::from("[");
    for (index, frame) in frames.iter().enumerate() {
        if index > 0 {
            data.push(',');
        }
        let earlier = index.checked_sub(1).and_then(|index| frames.get(index));
        data.push_str(&json(frame, earlier));
    }
    data.push(']');
    PAGE.replace("@DATA@", &data)
        .replace("@SUMMARY@", &summary(frames))
}

/// A frame as a JSON object.
fn json(frame: &Frame, earlier: Option<&Frame>) -> String {
    let (black, white) = frame.discs();
    let legal = frame.position.moves();
    let board: String = Squares(!0)
        .map(|square| match square.set() {
            set if black & set != 0 => 'B',
            set if white & set != 0 => 'W',
            set if legal & set != 0 => '+',
            _ => '.',
        })
        .collect();
    let last = match frame.last {
        None => "the beginning".into(),
        Some(None) => "pass".into(),
        Some(Some(square)) => square.to_string(),
    };
    let side = if frame.position.is_over() {
        "over".into()
    } else {
        frame.colour().to_string()
    };
    let number = |value: Option<i64>| value.map_or("null".into(), |value| value.to_string());
    let loss = earlier.and_then(|earlier| loss(frame, earlier));
    format!(
        "{{\"turn\":{},\"board\":\"{board}\",\"last\":{},\"side\":{},\"value\":{},\"ms\":{},\"loss\":{}}}",
        frame.turn,
        quoted(&last),
        quoted(&side),
        number(frame.value.map(i64::from)),
        number(frame.time_us.map(|time| (time / 1_000) as i64)),
        number(loss.map(i64::from))
    )
}

/// How many discs the move that led to `frame` gave away, if that is worth a mark.
fn loss(frame: &Frame, earlier: &Frame) -> Option<i32> {
    let (now, before) = (frame.value?, earlier.value?);
    let loss = earlier.for_black(before) - earlier.for_black(now);
    (loss >= MISTAKE).then_some(loss)
}

/// The result and the moves that decided it, in words.
fn summary(frames: &[Frame]) -> String {
    let mut text = String::new();
    let Some(last) = frames.last() else {
        return text;
    };
    let (black, white) = last.discs();
    let _ = write!(
        text,
        "<p>Black {}, white {}.",
        black.count_ones(),
        white.count_ones()
    );
    let pairs = frames.windows(2).enumerate();
    let mut mistakes: Vec<(i32, usize, String)> = pairs
        .filter_map(|(index, pair)| {
            let loss = loss(&pair[1], &pair[0])?;
            let square = pair[1].last.flatten()?;
            let what = format!(
                "{} {square} (turn {}) gives away {loss} discs",
                pair[0].colour(),
                pair[0].turn
            );
            Some((loss, index + 1, what))
        })
        .collect();
    mistakes.sort_by_key(|(loss, index, _)| (-loss, *index));
    if mistakes.is_empty() {
        text.push_str(" No move was a clear mistake.</p>");
        return text;
    }
    text.push_str(" Where the game turned:</p><ol>");
    for (_, index, what) in mistakes.iter().take(5) {
        let _ = write!(
            text,
            "<li><button type=\"button\" data-go=\"{index}\">{what}</button></li>"
        );
    }
    text.push_str("</ol>");
    text
}

const PAGE: &str = r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A game of Reversi</title>
<style>
:root { color-scheme: light dark; --line: #8888; --mark: #c33; --black: #356; --white: #c80; }
body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 60rem; }
main { display: grid; gap: 1.5rem; grid-template-columns: minmax(16rem, 28rem) 1fr; }
@media (max-width: 45rem) { main { grid-template-columns: 1fr; } }
h1 { font-size: 1.3rem; margin: 0 0 .8rem; }
#board { width: 100%; border-collapse: collapse; table-layout: fixed; }
#board th { font-weight: normal; font-size: .8rem; padding: .1rem; }
#board tr > th:first-child { width: 1.2rem; }
#board td { background: #2a7d4f; border: 1px solid #174a2e; padding: 0; aspect-ratio: 1; text-align: center; vertical-align: middle; }
#board td span { display: block; width: 80%; aspect-ratio: 1; margin: auto; border-radius: 50%; }
#board .B span { background: #111; }
#board .W span { background: #f4f4f4; }
#board .legal span { width: 22%; background: #0005; }
#board .last { outline: 3px solid #fc3; outline-offset: -3px; }
#controls { display: flex; gap: .5rem; align-items: center; margin: .8rem 0; }
#controls input { flex: 1; min-width: 4rem; }
button { font: inherit; padding: .3rem .7rem; }
li button { text-align: left; }
svg { width: 100%; height: auto; display: block; cursor: pointer; }
svg text { fill: currentColor; font-size: 11px; }
#state { min-height: 3.2em; }
</style>
</head>
<body>
<h1>A game of Reversi</h1>
<main>
<section aria-label="Board">
<table id="board"></table>
<div id="controls">
<button type="button" id="back" aria-label="One move back">&#9664;</button>
<input type="range" id="slider" min="0" value="0" aria-label="Move">
<button type="button" id="next" aria-label="One move on">&#9654;</button>
</div>
<p id="state" role="status" aria-live="polite"></p>
<p><small>Arrow keys, Home and End step through the game.</small></p>
</section>
<section aria-label="Course of the game">
<h2 style="font-size:1.05rem">Value for black, in discs</h2>
<svg id="values" viewBox="0 0 600 200" role="img" aria-label="Chart of the value by move"></svg>
<h2 style="font-size:1.05rem">Time, in milliseconds</h2>
<svg id="times" viewBox="0 0 600 110" role="img" aria-label="Chart of the time by move"></svg>
@SUMMARY@
</section>
</main>
<script>
"use strict";
const frames = @DATA@;
const find = id => document.getElementById(id);
const slider = find("slider");
slider.max = frames.length - 1;
let at = 0;
const board = find("board");
const cells = [];
const heads = board.insertRow();
heads.appendChild(document.createElement("th"));
for (const letter of "abcdefgh") heads.appendChild(document.createElement("th")).textContent = letter;
for (let row = 0; row < 8; row++) {
    const line = board.insertRow();
    line.appendChild(document.createElement("th")).textContent = row + 1;
    for (let column = 0; column < 8; column++) {
        const cell = line.insertCell();
        cell.appendChild(document.createElement("span"));
        cells.push(cell);
    }
}
const names = { B: "black", W: "white", "+": "legal move", ".": "empty" };
const square = index => "abcdefgh"[index % 8] + (index / 8 + 1 | 0);
const make = (parent, tag, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    return parent.appendChild(node);
};
const x = index => 30 + 560 * index / Math.max(1, frames.length - 1);
function chart() {
    const values = find("values");
    const most = Math.max(8, ...frames.map(frame => Math.abs(frame.value || 0)));
    const y = value => 100 - 90 * value / most;
    for (const value of [-most, 0, most]) {
        make(values, "line", { x1: 30, x2: 590, y1: y(value), y2: y(value), stroke: "var(--line)" });
        make(values, "text", { x: 2, y: y(value) + 4 }, value);
    }
    const points = frames.map((frame, index) => x(index) + "," + y(frame.value || 0)).join(" ");
    make(values, "polyline", { points, fill: "none", stroke: "var(--black)", "stroke-width": 2 });
    frames.forEach((frame, index) => {
        if (frame.loss === null) return;
        const dot = make(values, "circle", { cx: x(index), cy: y(frame.value), r: 5, fill: "var(--mark)" });
        make(dot, "title", {}, frame.last + " gives away " + frame.loss);
    });
    make(values, "line", { id: "cursor", y1: 5, y2: 195, stroke: "var(--white)", "stroke-width": 2 });
    const times = find("times");
    const longest = Math.max(1, ...frames.map(frame => frame.ms || 0));
    make(times, "text", { x: 2, y: 12 }, longest);
    frames.forEach((frame, index) => {
        const height = 95 * (frame.ms || 0) / longest;
        const colour = frame.turn % 2 ? "var(--white)" : "var(--black)";
        make(times, "rect", { x: x(index) - 3, y: 105 - height, width: 6, height, fill: colour });
    });
    for (const svg of [values, times]) svg.addEventListener("click", event => {
        const box = svg.getBoundingClientRect();
        const place = (event.clientX - box.left) / box.width * 600;
        show(Math.round((place - 30) / 560 * (frames.length - 1)));
    });
}
function show(index) {
    at = Math.min(Math.max(index, 0), frames.length - 1);
    const frame = frames[at];
    cells.forEach((cell, index) => {
        const mark = frame.board[index];
        cell.className = mark === "+" ? "legal" : mark;
        if (square(index) === frame.last) cell.classList.add("last");
        cell.setAttribute("aria-label", square(index) + " " + names[mark]);
    });
    slider.value = at;
    slider.setAttribute("aria-valuetext", "move " + at + " of " + (frames.length - 1));
    const count = mark => [...frame.board].filter(one => one === mark).length;
    let text = (at ? "After " + frame.last : "The beginning") + ": ";
    text += frame.side === "over" ? "the game is over" : "turn " + frame.turn + ", " + frame.side + " to move";
    text += ", black " + count("B") + ", white " + count("W") + ".";
    if (frame.value !== null) text += " Value for black " + (frame.value > 0 ? "+" : "") + frame.value + ".";
    if (frame.ms !== null) text += " Time " + frame.ms + " ms.";
    if (frame.loss !== null) text += " This move gives away " + frame.loss + " discs.";
    find("state").textContent = text;
    const cursor = find("cursor");
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
}
chart();
show(0);
slider.addEventListener("input", () => show(Number(slider.value)));
find("back").addEventListener("click", () => show(at - 1));
find("next").addEventListener("click", () => show(at + 1));
for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => show(Number(button.dataset.go)));
}
document.addEventListener("keydown", event => {
    if (event.target === slider) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
});
</script>
</body>
</html>
"##;
