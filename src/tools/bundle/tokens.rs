//! Rust source as tokens: just enough to take sources apart and put them together without reading strings or
//! comments for code.

/// A token, with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its characters.
    pub text: &'a str,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Blanks and line feeds.
    Blank,
    /// A comment of either form, documentation included.
    Comment,
    /// A string, byte string, raw string, character or byte.
    Literal,
    /// A name, keyword, number or lifetime.
    Word,
    /// Any other character.
    Sign,
}

/// Splits source text into tokens, which put together give the text again.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (text, after) = rest.split_at(length.clamp(first.len_utf8(), rest.len()));
        tokens.push(Token { kind, text });
        rest = after;
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The kind and length of the token at the beginning of `rest`.
fn next(rest: &str, first: char) -> (Kind, usize) {
    let up_to = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    if first.is_whitespace() {
        return (Kind::Blank, up_to(&|c| !c.is_whitespace()));
    }
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    if let Some(length) = raw_string(rest) {
        return (Kind::Literal, length);
    }
    for prefix in ["\"", "b\""] {
        if rest.starts_with(prefix) {
            return (Kind::Literal, quoted(rest, prefix.len(), '"'));
        }
    }
    if rest.starts_with("b'") {
        return (Kind::Literal, quoted(rest, 2, '\''));
    }
    if first == '\'' {
        // A character has its closing quote after one character or an escape; else it is a lifetime.
        let inside = &rest[1..];
        let after = inside.chars().nth(1);
        if inside.starts_with('\\') || after == Some('\'') {
            return (Kind::Literal, quoted(rest, 1, '\''));
        }
        return (
            Kind::Word,
            1 + inside.find(|c| !is_word(c)).unwrap_or(inside.len()),
        );
    }
    if is_word(first) {
        return (Kind::Word, up_to(&|c| !is_word(c)));
    }
    (Kind::Sign, first.len_utf8())
}

/// The length of a block comment; they nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of a literal whose inside begins at `from`, up to an unescaped `end`.
fn quoted(text: &str, from: usize, end: char) -> usize {
    let mut escaped = false;
    for (at, c) in text[from..].char_indices() {
        if !escaped && c == end {
            return from + at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of a raw string, if here is one.
fn raw_string(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = inside.len() - inside.trim_start_matches('#').len();
    if !inside[hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = &inside[hashes + 1..];
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(text.len() - body.len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_come_apart_where_they_should() {
        let source = "fn f<'a>(x: &'a str) -> u8 { /* a /* b */ c */ b'\\'' } // \"x\"\nlet s = r#\"a\"b\"#; 'x' '\\n' \"\\\"//\" br\"z\"";
        let found = tokens(source);
        let together: String = found.iter().map(|token| token.text).collect();
        assert_eq!(together, source);
        let of = |kind| {
            found
                .iter()
                .filter(|token| token.kind == kind)
                .map(|token| token.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Kind::Comment), ["/* a /* b */ c */", "// \"x\""]);
        assert_eq!(
            of(Kind::Literal),
            [
                "b'\\''",
                "r#\"a\"b\"#",
                "'x'",
                "'\\n'",
                "\"\\\"//\"",
                "br\"z\""
            ]
        );
        assert!(of(Kind::Word).contains(&"'a"));
    }
}
