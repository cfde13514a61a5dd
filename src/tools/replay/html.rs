//! A game as one self-contained page: no outside resources, usable by keyboard, on a phone, and by a screen reader.

use super::super::referee::quoted;
use std::fmt::Write as _;

/// A game as the page shows it.
pub struct Sheet {
    /// The game's name.
    pub game: &'static str,
    /// Names of columns and rows, and what stands between the two in the name of a square.
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    pub between: &'static str,
    /// What the characters of a board stand for, as a JSON object. `B` and `W` are drawn as pieces, `+` as a legal move,
    /// `#` as a square that is gone.
    pub names: &'static str,
    /// Whose value is shown, and in what.
    pub whose: &'static str,
    pub unit: &'static str,
    /// The chart reaches at least this value.
    pub most: i32,
    /// A fall of the mover's value by this much is marked as a mistake.
    pub mistake: i32,
    pub views: Vec<View>,
}

/// A position as the page shows it.
pub struct View {
    pub turn: u32,
    /// A character a square, row by row.
    pub board: String,
    /// What led here: the name of a square, a pass, or the beginning.
    pub last: String,
    /// Whether a move on a square led here.
    pub moved: bool,
    /// The side to move; `None` when the game is over.
    pub side: Option<String>,
    /// What is counted, in words.
    pub counts: String,
    /// In the sheet's unit, for the side whose value is shown.
    pub value: Option<i32>,
    /// Whether that side is the one to move.
    pub own: bool,
    pub time_us: Option<u64>,
}

/// The page for a game.
pub fn page(sheet: &Sheet) -> String {
    let views = &sheet.views;
    let frames: Vec<String> = (0..views.len()).map(|at| json(sheet, at)).collect();
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        format!("[{}]", names.join(","))
    };
    PAGE.replace("@DATA@", &format!("[{}]", frames.join(",")))
        .replace("@SUMMARY@", &summary(sheet))
        .replace("@COLUMNS@", &list(&sheet.columns))
        .replace("@ROWS@", &list(&sheet.rows))
        .replace("@BETWEEN@", sheet.between)
        .replace("@NAMES@", sheet.names)
        .replace("@GAME@", sheet.game)
        .replace("@WHOSE@", sheet.whose)
        .replace("@UNIT@", sheet.unit)
        .replace("@MOST@", &sheet.most.to_string())
}

/// A position as a JSON object.
fn json(sheet: &Sheet, at: usize) -> String {
    let view = &sheet.views[at];
    let number = |value: Option<i64>| value.map_or("null".into(), |value| value.to_string());
    format!(
        "{{\"turn\":{},\"board\":\"{}\",\"last\":{},\"side\":{},\"counts\":{},\"value\":{},\"ms\":{},\"loss\":{}}}",
        view.turn,
        view.board,
        quoted(&view.last),
        quoted(view.side.as_deref().unwrap_or("over")),
        quoted(&view.counts),
        number(view.value.map(i64::from)),
        number(view.time_us.map(|time| (time / 1_000) as i64)),
        number(loss(sheet, at).map(i64::from))
    )
}

/// How much the move that led to a position gave away, if that is worth a mark.
fn loss(sheet: &Sheet, at: usize) -> Option<i32> {
    let (earlier, now) = (sheet.views.get(at.checked_sub(1)?)?, sheet.views.get(at)?);
    let fall = earlier.value? - now.value?;
    let loss = if earlier.own { fall } else { -fall };
    (loss >= sheet.mistake).then_some(loss)
}

/// The result and the moves that decided it, in words.
fn summary(sheet: &Sheet) -> String {
    let mut text = String::new();
    let Some(last) = sheet.views.last() else {
        return text;
    };
    let _ = write!(text, "<p>At the end {}.", last.counts);
    let mut mistakes: Vec<(i32, usize, String)> = (1..sheet.views.len())
        .filter_map(|at| {
            let loss = loss(sheet, at)?;
            let (before, after) = (&sheet.views[at - 1], &sheet.views[at]);
            let what = format!(
                "{} {} (turn {}) gives away {loss} {}",
                before.side.as_deref().filter(|_| after.moved)?,
                after.last,
                before.turn,
                sheet.unit
            );
            Some((loss, at, what))
        })
        .collect();
    mistakes.sort_by_key(|(loss, at, _)| (-loss, *at));
    if mistakes.is_empty() {
        text.push_str(" No move was a clear mistake.</p>");
        return text;
    }
    text.push_str(" Where the game turned:</p><ol>");
    for (_, at, what) in mistakes.iter().take(5) {
        let _ = write!(
            text,
            "<li><button type=\"button\" data-go=\"{at}\">{what}</button></li>"
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
<title>A game of @GAME@</title>
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
#board .gone { background: #4448; border-color: #4448; }
#board .last { outline: 3px solid #fc3; outline-offset: -3px; }
#controls { display: flex; gap: .5rem; align-items: center; margin: .8rem 0; }
#controls input { flex: 1; min-width: 4rem; }
button { font: inherit; padding: .3rem .7rem; }
li button { text-align: left; }
svg { width: 100%; height: auto; display: block; cursor: pointer; }
svg text { fill: currentColor; font-size: 11px; }
@media (max-width: 45rem) { svg text { font-size: 20px; } }
#state { min-height: 3.2em; }
</style>
</head>
<body>
<h1>A game of @GAME@</h1>
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
<h2 style="font-size:1.05rem">Value for @WHOSE@, in @UNIT@</h2>
<svg id="values" viewBox="0 0 600 200" role="img" aria-label="Chart of the value by move"></svg>
<div id="timed">
<h2 style="font-size:1.05rem">Time, in milliseconds</h2>
<svg id="times" viewBox="0 0 600 110" role="img" aria-label="Chart of the time by move"></svg>
</div>
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
const columns = @COLUMNS@;
const rows = @ROWS@;
for (const column of columns) heads.appendChild(document.createElement("th")).textContent = column;
for (const row of rows) {
    const line = board.insertRow();
    line.appendChild(document.createElement("th")).textContent = row;
    for (const column of columns) {
        const cell = line.insertCell();
        cell.appendChild(document.createElement("span"));
        cells.push(cell);
    }
}
const names = @NAMES@;
const square = index => columns[index % columns.length] + "@BETWEEN@" + rows[index / columns.length | 0];
const make = (parent, tag, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    return parent.appendChild(node);
};
const x = index => 30 + 560 * index / Math.max(1, frames.length - 1);
function chart() {
    const values = find("values");
    const most = Math.max(@MOST@, ...frames.map(frame => Math.abs(frame.value || 0)));
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
    find("timed").hidden = frames.every(frame => frame.ms === null);
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
        cell.className = { "+": "legal", "#": "gone" }[mark] || mark;
        if (square(index) === frame.last) cell.classList.add("last");
        cell.setAttribute("aria-label", square(index) + " " + names[mark]);
    });
    slider.value = at;
    slider.setAttribute("aria-valuetext", "move " + at + " of " + (frames.length - 1));
    let text = (at ? "After " + frame.last : "The beginning") + ": ";
    text += frame.side === "over" ? "the game is over" : "turn " + frame.turn + ", " + frame.side + " to move";
    text += ", " + frame.counts + ".";
    if (frame.value !== null) text += " Value for @WHOSE@ " + (frame.value > 0 ? "+" : "") + frame.value + ".";
    if (frame.ms !== null) text += " Time " + frame.ms + " ms.";
    if (frame.loss !== null) text += " This move gives away " + frame.loss + " @UNIT@.";
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
