//! The player as one Rust file: modules put inside each other, without tests and comments, and data as text.

use super::base85;
use super::tokens::{tokens, Kind, Token};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of the text are about this long where blanks allow it.
const DATA_LINE: usize = 1_000;

/// Puts the library and the shell of the ordinary program into one file. `shell` is the text of `main` and of
/// what it needs beside the modules `player` and `os`.
pub fn rust_source(source: &Path, head: &str, shell: &str) -> Result<String, String> {
    let player = Flattener::new("player").file(&source.join("src/player/lib.rs"))?;
    let os = Flattener::new("")
        .without("process")
        .file(&source.join("src/os.rs"))?;
    let decoder = base85::DECODER_IN_RUST;
    Ok(format!(
        "{head}#![allow(long_running_const_eval, dead_code, unused_imports)]\nextern crate alloc;\n\
         {shell}{decoder}mod os {{\n{os}}}\nmod player {{\n{player}}}\n"
    ))
}

/// Takes one crate's modules apart and puts them together.
struct Flattener<'a> {
    /// The module that becomes the crate's root, or nothing if paths already begin at the new root.
    root: &'a str,
    /// A module that is left out.
    left_out: &'a str,
}

impl<'a> Flattener<'a> {
    fn new(root: &'a str) -> Flattener<'a> {
        Flattener { root, left_out: "" }
    }

    fn without(self, left_out: &'a str) -> Flattener<'a> {
        Flattener { left_out, ..self }
    }

    /// The text of a file with its modules put in.
    fn file(&self, path: &Path) -> Result<String, String> {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let all = tokens(&text);
        let code: Vec<Token> = all
            .into_iter()
            .filter(|token| token.kind != Kind::Comment)
            .collect();
        let mut out = String::new();
        let mut at = 0;
        while at < code.len() {
            at = self.item(path, &code, at, &mut out)?;
        }
        Ok(tidy(&out))
    }

    /// Copies or changes what begins at token `at`; returns where the next begins.
    fn item(
        &self,
        path: &Path,
        code: &[Token],
        at: usize,
        out: &mut String,
    ) -> Result<usize, String> {
        let rest = &code[at..];
        if starts(rest, &["#", "!", "["]) {
            return Ok(at + closed(rest, "[", "]"));
        }
        if starts(rest, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            let after = at + closed(rest, "[", "]");
            return Ok(after + item_length(&code[after..]));
        }
        if starts(rest, &["extern", "crate", "alloc", ";"]) {
            return Ok(at + nth_sign(rest, ";"));
        }
        if let Some(name) = module(rest) {
            if name != self.left_out {
                let inner = self.file(&module_file(path, name)?)?;
                out.push_str(&format!("mod {name} {{\n{inner}}}\n"));
            } else if out.ends_with("pub ") {
                out.truncate(out.len() - 4);
            }
            return Ok(at + nth_sign(rest, ";"));
        }
        if starts(rest, &["include_bytes", "!", "("]) {
            out.push_str(&data(path, rest)?);
            return Ok(at + closed(rest, "(", ")"));
        }
        if starts(rest, &["crate", ":", ":"]) && !self.root.is_empty() {
            out.push_str("crate::");
            out.push_str(self.root);
            return Ok(at + 1);
        }
        if starts(rest, &["player", ":", ":"]) && self.root.is_empty() {
            out.push_str("crate::player");
            return Ok(at + 1);
        }
        out.push_str(rest[0].text);
        Ok(at + 1)
    }
}

/// Whether these are the next tokens, blanks apart.
fn starts(code: &[Token], expected: &[&str]) -> bool {
    let mut solid = code.iter().filter(|token| token.kind != Kind::Blank);
    code.first().is_some_and(|token| token.kind != Kind::Blank)
        && expected
            .iter()
            .all(|text| solid.next().is_some_and(|token| token.text == *text))
}

/// The name in `mod name;`.
fn module<'a>(code: &[Token<'a>]) -> Option<&'a str> {
    let mut solid = code.iter().filter(|token| token.kind != Kind::Blank);
    let (word, name, end) = (solid.next()?, solid.next()?, solid.next()?);
    (code.first()?.text == "mod" && word.text == "mod" && end.text == ";").then_some(name.text)
}

/// How many tokens there are up to the one that closes the first `open`.
fn closed(code: &[Token], open: &str, close: &str) -> usize {
    let mut depth = 0;
    for (at, token) in code
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Sign)
    {
        if token.text == open {
            depth += 1;
        } else if token.text == close {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    code.len()
}

/// How many tokens there are up to the first of this sign.
fn nth_sign(code: &[Token], sign: &str) -> usize {
    let found = code
        .iter()
        .position(|token| token.kind == Kind::Sign && token.text == sign);
    found.map_or(code.len(), |at| at + 1)
}

/// The length of an item: up to its semicolon, or to the end of its braces, whichever is first.
fn item_length(code: &[Token]) -> usize {
    let semicolon = nth_sign(code, ";");
    let brace = nth_sign(code, "{");
    if brace < semicolon {
        closed(code, "{", "}")
    } else {
        semicolon
    }
}

/// The file of a module that `path` declares.
fn module_file(path: &Path, name: &str) -> Result<PathBuf, String> {
    let stem = path.file_stem().unwrap_or_default();
    let mut directory = path.parent().unwrap_or(Path::new("")).to_owned();
    if stem != "lib" && stem != "mod" {
        directory.push(stem);
    }
    let files = [
        directory.join(format!("{name}.rs")),
        directory.join(name).join("mod.rs"),
    ];
    let found = files.iter().find(|file| file.exists()).cloned();
    found.ok_or_else(|| format!("{}: module {name} has no file", path.display()))
}

/// An expression for the contents of a file named in `include_bytes!`.
fn data(path: &Path, code: &[Token]) -> Result<String, String> {
    let name = code.iter().find(|token| token.kind == Kind::Literal);
    let name = name.map_or("", |token| token.text.trim_matches('"'));
    let file = path.with_file_name(name);
    let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let text = base85::encode(&bytes);
    let lines: Vec<&str> = (0..text.len())
        .step_by(DATA_LINE)
        .map(|at| &text[at..text.len().min(at + DATA_LINE)])
        .collect();
    Ok(format!(
        "&crate::rb_decode::<{}>(\"{}\")",
        bytes.len(),
        lines.join("\\\n")
    ))
}

/// Takes out empty lines and indentation, which are many without comments. Nothing inside literals begins a
/// line but data, which has no blanks.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(source: &str) -> String {
        let code = tokens(source);
        let code: Vec<Token> = code
            .into_iter()
            .filter(|token| token.kind != Kind::Comment)
            .collect();
        let flattener = Flattener::new("lib");
        let (mut out, mut at) = (String::new(), 0);
        while at < code.len() {
            at = flattener
                .item(Path::new("x.rs"), &code, at, &mut out)
                .unwrap();
        }
        tidy(&out)
    }

    #[test]
    fn paths_change_and_tests_and_comments_go() {
        let source = "//! Doc.\n#![no_std]\nuse crate::a; // x\npub(crate) const S: &str = \"crate::b // c\";\n\
                      #[cfg(test)]\nmod tests {\n  fn f() { { } }\n}\n#[cfg(test)]\nuse x::y;\nfn g() {}\n";
        assert_eq!(
            flat(source),
            "use crate::lib::a;\npub(crate) const S: &str = \"crate::b // c\";\nfn g() {}\n"
        );
    }

    #[test]
    fn a_missing_module_is_an_error() {
        let error = module_file(Path::new("/nonexistent/lib.rs"), "x").unwrap_err();
        assert!(error.contains("module x"), "{error}");
    }
}
