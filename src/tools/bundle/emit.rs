//! A linked program as the text of one C file that is also C++.
//!
//! The blocks become top-level assembler text. Bytes are written as eight characters for six bytes, which an
//! assembler macro turns back; the few places that point from block to block are written as
//! differences and sums of labels, so that compiler and linker see nothing unusual. Only data directives are
//! used: no instruction, so the assembler's syntax does not matter.

use super::base85;
use super::link::{Address, Block, Open, Program};
use std::fmt::Write as _;

/// Characters for six bits, each of which may be part of a symbol's name.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";

/// Lines of the text are about this long.
const LINE: usize = 1_000;

/// What the header says.
pub struct Header<'a> {
    /// The version of the program that made it.
    pub version: &'a str,
    /// The games and limits, in words.
    pub what: &'a str,
}

/// The size of each part of a text, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Code, constants and data.
    pub code: usize,
    /// Weights.
    pub weights: usize,
    /// Everything.
    pub total: usize,
}

/// Writes the C file. `files` are the contents of the files that the linker took out.
pub fn c_source(program: &Program, files: &[Vec<u8>], header: &Header) -> (String, Sizes) {
    let mut text = head(header);
    let before = text.len();
    let mut assembly = Assembly::new();
    assembly.block("C", ".text", &program.code, &program.code_open);
    assembly.block("D", ".data", &program.data, &program.data_open);
    let _ = write!(
        assembly.text,
        ".bss;.balign 64;rb_Z:.zero {};",
        program.zeros.max(1)
    );
    assembly.finish();
    text.push_str(&assembly.text);
    let code = text.len() - before;

    let before = text.len();
    for (number, (file, _)) in program.files.iter().enumerate() {
        let _ = writeln!(text, "static const char rb_text{number}[] =");
        string_literal(&mut text, &base85::encode(&files[*file]));
        text.push_str(";\n");
    }
    if !program.files.is_empty() {
        text.push_str(base85::DECODER_IN_C);
    }
    let weights = text.len() - before;
    text.push_str(&main_function(program));
    let total = text.len();
    (
        text,
        Sizes {
            code,
            weights,
            total,
        },
    )
}

fn head(header: &Header) -> String {
    format!(
        "/* reversi-bot {}: {}.\n\n\
         This file was made by 'reversi-bot bundle c' from a program written in Rust. It holds that program's\n\
         machine code for x86-64 Linux as assembler data, its evaluation weights as text, and a main that\n\
         connects both to libc. The readable source is the program's own; nothing here is meant to be edited.\n\
         Compile it as C or C++ with gcc or clang: no flag, library or other file is needed. */\n\n",
        header.version, header.what
    )
}

/// Writes a long text as adjacent literals on lines of their own.
fn string_literal(to: &mut String, text: &str) {
    for line in text.as_bytes().chunks(LINE) {
        to.push('"');
        to.extend(line.iter().map(|&byte| char::from(byte)));
        to.push_str("\"\n");
    }
}

/// The assembler text as one `asm` declaration.
struct Assembly {
    text: String,
    /// Where the line under way began.
    line: usize,
}

/// `rb_k` and a digit is its value; `rb_w` writes six bytes for every eight digits, and `rb_a` does the same after
/// a digit that counts for nothing; `rb_d` and `rb_z` write a distance to a block, `rb_p`, `rb_q` and `rb_r` a pointer
/// into one; `rb_C`, `rb_D` and `rb_Z` are the blocks.
fn prelude() -> String {
    let mut text = String::from("__asm__(\".pushsection .text\\n");
    for (value, digit) in DIGITS.iter().enumerate() {
        let _ = write!(text, ".set rb_k{},{value};", char::from(*digit));
    }
    text.push_str(
        "\\n\"\n\".macro rb_x x\\n.irpc c,\\\\x\\n.set rb_v,(rb_v<<6)|rb_k\\\\c\\n.set rb_n,rb_n+1\\n.if rb_n==8\\n\
         .long (rb_v>>16)&0xffffffff\\n.short rb_v&0xffff\\n.set rb_v,0\\n.set rb_n,0\\n.endif\\n.endr\\n.endm\\n\"\n\
         \".macro rb_w x\\n.set rb_v,0\\n.set rb_n,0\\nrb_x \\\\x\\n.endm\\n.macro rb_a x\\n.set rb_v,0\\n.set rb_n,-1\\nrb_x \\\\x\\n.endm\\n\"\n\
         \".macro rb_d o\\n.long rb_D+\\\\o-.\\n.endm\\n.macro rb_z o\\n.long rb_Z+\\\\o-.\\n.endm\\n\"\n\
         \".macro rb_p o\\n.quad rb_C+\\\\o\\n.endm\\n.macro rb_q o\\n.quad rb_D+\\\\o\\n.endm\\n.macro rb_r o\\n.quad rb_Z+\\\\o\\n.endm\\n\"\n\"",
    );
    text
}

impl Assembly {
    fn new() -> Assembly {
        let text = prelude();
        Assembly {
            line: text.len(),
            text,
        }
    }

    /// Writes a block: its bytes, with the open places in between.
    fn block(&mut self, name: &str, section: &str, bytes: &[u8], open: &[Open]) {
        let _ = write!(self.text, "{section};.balign 64;rb_{name}:");
        let size = if name == "C" { 4 } else { 8 };
        let mut open = open.to_vec();
        open.sort_by_key(|open| open.offset);
        let mut at = 0;
        for place in &open {
            self.bytes(&bytes[at..place.offset]);
            self.open(place.target, size);
            at = place.offset + size;
        }
        self.bytes(&bytes[at..]);
    }

    /// Writes bytes: words of six, and what is left over.
    fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<6>();
        let zeros = |word: &[u8; 6]| *word == [0; 6];
        for words in words.chunk_by(|one, next| zeros(one) == zeros(next)) {
            if zeros(&words[0]) {
                self.item(&format!(".zero {};", 6 * words.len()));
                continue;
            }
            for words in words.chunks(LINE / 8) {
                self.item(&digits(words));
            }
        }
        if !rest.is_empty() {
            let rest: Vec<String> = rest.iter().map(u8::to_string).collect();
            self.item(&format!(".byte {};", rest.join(",")));
        }
    }

    /// Writes a place that points to a block.
    fn open(&mut self, target: Address, size: usize) {
        let macro_name = match (size, target.block) {
            (4, Block::Zeros) => "z",
            (4, _) => "d",
            (_, Block::Code) => "p",
            (_, Block::Data) => "q",
            (_, Block::Zeros) => "r",
        };
        self.item(&format!("rb_{macro_name} {};", target.offset));
    }

    fn item(&mut self, item: &str) {
        if self.text.len() + item.len() > self.line + LINE {
            self.text.push_str("\\n\"\n\"");
            self.line = self.text.len();
        }
        self.text.push_str(item);
    }

    fn finish(&mut self) {
        self.text.push_str(".popsection\\n\");\n");
    }
}

/// Words as a call of the macro that writes them. Digits that an assembler might read as a number get a letter
/// before them: clang drops a `U` or `L` after digits.
fn digits(words: &[[u8; 6]]) -> String {
    let digits: String = words.iter().map(word).collect();
    if digits.starts_with(|first: char| first.is_ascii_alphabetic()) {
        format!("rb_w {digits};")
    } else {
        format!("rb_a A{digits};")
    }
}

/// Six bytes as eight characters. The macro writes the high 32 of 48 bits first, then the low 16.
fn word(bytes: &[u8; 6]) -> String {
    let [a, b, c, d, e, f] = bytes.map(u64::from);
    let bits = (d << 40) | (c << 32) | (b << 24) | (a << 16) | (f << 8) | e;
    let digit = |place: u32| char::from(DIGITS[(bits >> (42 - 6 * place) & 63) as usize]);
    (0..8).map(digit).collect()
}

/// The entry, and what connects it to libc.
fn main_function(program: &Program) -> String {
    let mut text = String::from("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (number, name) in program.imports.iter().enumerate() {
        let _ = writeln!(text, "extern void rb_f{number}(void) __asm__(\"{name}\");");
    }
    text.push_str(
        "extern unsigned char rb_code[] __asm__(\"rb_C\");\nextern unsigned char rb_data[] __asm__(\"rb_D\");\n\
         extern unsigned char rb_zeros[] __asm__(\"rb_Z\");\n#ifdef __cplusplus\n}\n#endif\n\
         int main(void) {\n    typedef void (*function)(void);\n    typedef int (*entry)(void);\n",
    );
    let _ = writeln!(
        text,
        "    function *slots = (function *)(void *)(rb_data + {});",
        program.imports_at
    );
    for number in 0..program.imports.len() {
        let _ = writeln!(text, "    slots[{number}] = rb_f{number};");
    }
    for (number, (_, offset)) in program.files.iter().enumerate() {
        let _ = writeln!(text, "    rb_decode(rb_text{number}, rb_zeros + {offset});");
    }
    let _ = write!(
        text,
        "    return ((entry)(void *)(rb_code + {}))();\n}}\n",
        program.entry
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the assembler macro makes of a word.
    fn expanded(word: &str) -> Vec<u8> {
        let value = |c: u8| DIGITS.iter().position(|&digit| digit == c).unwrap() as u64;
        let bits = word.bytes().fold(0, |bits, c| bits << 6 | value(c));
        let mut bytes = ((bits >> 16) as u32).to_le_bytes().to_vec();
        bytes.extend((bits as u16).to_le_bytes());
        bytes
    }

    #[test]
    fn words_expand_to_their_bytes() {
        for bytes in [
            [0; 6],
            [255; 6],
            [0xd0; 6],
            [1, 2, 3, 4, 5, 6],
            [0x48, 0x8d, 0x05, 0, 0x80, 0xff],
        ] {
            assert_eq!(expanded(&word(&bytes)), bytes);
        }
        assert_eq!(digits(&[[0; 6]]), "rb_w AAAAAAAA;");
        assert!(digits(&[[255; 6]]).starts_with("rb_a A."));
    }

    #[test]
    fn the_text_is_plain_and_ends_where_it_should() {
        let program = Program {
            code: vec![0xc3; 2_000],
            code_open: vec![Open {
                offset: 7,
                target: Address {
                    block: Block::Zeros,
                    offset: -4,
                },
            }],
            data: vec![0; 16],
            data_open: vec![Open {
                offset: 8,
                target: Address {
                    block: Block::Code,
                    offset: 3,
                },
            }],
            zeros: 40,
            imports: vec!["read".into()],
            files: vec![(0, 0)],
            ..Program::default()
        };
        let header = Header {
            version: "1",
            what: "a test",
        };
        let (text, sizes) = c_source(&program, &[vec![5; 40]], &header);
        assert_eq!(sizes.total, text.len());
        assert!(text.is_ascii() && !text.contains("??") && text.ends_with("}\n"));
        assert!(text.lines().all(|line| line.len() < 3 * LINE));
        for part in [
            "rb_z -4;",
            "rb_p 3;",
            "__asm__(\"read\")",
            "rb_decode(rb_text0, rb_zeros + 0)",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
}
