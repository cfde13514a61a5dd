//! Bytes as text: five characters for four bytes, none of which needs an escape in C, C++ or Rust strings.

/// The first character; from here to `y` all but `?` (trigraphs) and `\` (escapes).
const FIRST: u8 = b'#';

/// The character for a digit below 85.
fn digit(value: u32) -> char {
    let skipped_question = value as u8 + FIRST;
    let skipped = skipped_question + u8::from(skipped_question >= b'?');
    char::from(skipped + u8::from(skipped >= b'\\'))
}

/// Encodes bytes, which are filled up with zeros to a multiple of four.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 4 * 5 + 5);
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut rest = u32::from_le_bytes(word);
        for _ in 0..5 {
            text.push(digit(rest % 85));
            rest /= 85;
        }
    }
    text
}

/// A function in C that decodes `text` into `to`.
pub const DECODER_IN_C: &str = "\
static void rb_decode(const char *text, unsigned char *to) {
    while (*text) {
        unsigned word = 0, scale = 1;
        int i;
        for (i = 0; i < 5; i++) {
            int c = *text++;
            word += scale * (unsigned)(c - 35 - (c > 63) - (c > 92));
            scale *= 85u;
        }
        for (i = 0; i < 4; i++) *to++ = (unsigned char)(word >> (8 * i));
    }
}
";

/// A function in Rust that decodes a text at compile time.
pub const DECODER_IN_RUST: &str = "\
const fn rb_decode<const N: usize>(text: &str) -> [u8; N] {
    let text = text.as_bytes();
    let mut bytes = [0; N];
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let (mut word, mut scale, mut i) = (0u32, 1u32, 0);
        while i < 5 {
            let c = text[from + i] as u32;
            word = word.wrapping_add(scale.wrapping_mul(c - 35 - (c > 63) as u32 - (c > 92) as u32));
            scale = scale.wrapping_mul(85);
            i += 1;
        }
        i = 0;
        while i < 4 && to < N {
            bytes[to] = (word >> (8 * i)) as u8;
            to += 1;
            i += 1;
        }
        from += 5;
    }
    bytes
}
";

#[cfg(test)]
mod tests {
    use super::*;

    /// The reverse, as the decoders do it.
    fn decode(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for chunk in text.as_bytes().chunks(5) {
            let value = |&c: &u8| u32::from(c) - 35 - u32::from(c > 63) - u32::from(c > 92);
            let word = chunk
                .iter()
                .rev()
                .fold(0u32, |word, c| word.wrapping_mul(85).wrapping_add(value(c)));
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn bytes_come_back() {
        let bytes: Vec<u8> = (0..4096u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        assert_eq!(decode(&encode(&bytes)), bytes);
        assert_eq!(decode(&encode(&[255; 8])), [255; 8]);
        assert_eq!(decode(&encode(&[1, 2, 3, 4, 5])), [1, 2, 3, 4, 5, 0, 0, 0]);
    }

    #[test]
    fn no_character_needs_care() {
        let all: String = (0..85).map(digit).collect();
        assert!(all
            .chars()
            .all(|c| c.is_ascii_graphic() && !"\"'?\\".contains(c) || c == '\''));
        assert_eq!(all.chars().next_back(), Some('y'));
    }
}
