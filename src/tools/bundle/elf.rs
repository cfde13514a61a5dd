//! Reads relocatable ELF objects for x86-64: sections, symbols, relocations. Knows nothing of what for.

use std::fmt;

/// Why an object cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadObject(pub String);

impl fmt::Display for BadObject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "object file: {}", self.0)
    }
}

fn bad<T>(what: impl Into<String>) -> Result<T, BadObject> {
    Err(BadObject(what.into()))
}

/// A section's kind and rights, as far as they matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Whether it is loaded when the program runs.
    pub allocated: bool,
    /// Whether the program may write to it.
    pub writable: bool,
    /// Whether it holds code.
    pub code: bool,
    /// What it holds; zeros for a section without contents.
    pub bytes: Vec<u8>,
    /// Whether it has contents.
    pub has_contents: bool,
    /// What its address must be a multiple of.
    pub align: u64,
    /// What is still to be filled in.
    pub relocations: Vec<Relocation>,
}

/// A place to be filled in when addresses are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where in the section.
    pub offset: u64,
    /// The number of its kind, by the psABI.
    pub kind: u32,
    /// The index of the symbol.
    pub symbol: usize,
    /// What is added.
    pub addend: i64,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in this object.
    Undefined,
    /// In a section, at an offset.
    In(usize, u64),
    /// Anything else, such as an absolute number.
    Other(u16),
}

/// A name and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; that of the section for a section symbol.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

/// A relocatable object.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Sections by index, the null section included.
    pub sections: Vec<Section>,
    /// Symbols by index.
    pub symbols: Vec<Symbol>,
}

/// Little-endian numbers of a byte slice, checked.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn slice(&self, at: u64, length: u64) -> Result<&'a [u8], BadObject> {
        let range = at as usize..(at.saturating_add(length)) as usize;
        let cut = || BadObject(format!("cut off at byte {at}"));
        self.0.get(range).ok_or_else(cut)
    }

    fn number(&self, at: u64, length: u64) -> Result<u64, BadObject> {
        let bytes = self.slice(at, length)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn name(&self, at: u64) -> Result<String, BadObject> {
        let rest = self.slice(at, (self.0.len() as u64).saturating_sub(at))?;
        let name = rest.split(|&byte| byte == 0).next().unwrap_or(&[]);
        Ok(String::from_utf8_lossy(name).into_owned())
    }
}

/// A section's header, raw.
struct Header {
    name: u64,
    kind: u64,
    flags: u64,
    offset: u64,
    size: u64,
    link: u64,
    info: u64,
    align: u64,
}

const SHT_SYMTAB: u64 = 2;
const SHT_RELA: u64 = 4;
const SHT_NOBITS: u64 = 8;
const SHT_REL: u64 = 9;
const SHF_WRITE: u64 = 1;
const SHF_ALLOC: u64 = 2;
const SHF_EXECINSTR: u64 = 4;
const STT_SECTION: u64 = 3;

impl Object {
    /// Reads an object.
    pub fn parse(bytes: &[u8]) -> Result<Object, BadObject> {
        let reader = Reader(bytes);
        // 64 bits, little-endian, relocatable, x86-64.
        if reader.slice(0, 6)? != b"\x7fELF\x02\x01"
            || reader.number(16, 2)? != 1
            || reader.number(18, 2)? != 62
        {
            return bad("not a relocatable ELF object for x86-64");
        }
        let (table, count) = (reader.number(40, 8)?, reader.number(60, 2)?);
        let headers: Result<Vec<Header>, BadObject> = (0..count)
            .map(|index| Header::read(&reader, table.saturating_add(index * 64)))
            .collect();
        let headers = headers?;
        let names = headers
            .get(reader.number(62, 2)? as usize)
            .map_or(0, |header| header.offset);
        let mut object = Object::default();
        for header in &headers {
            object.sections.push(header.section(&reader, names)?);
        }
        for header in &headers {
            match header.kind {
                SHT_SYMTAB => object.read_symbols(&reader, header, &headers)?,
                SHT_RELA => object.read_relocations(&reader, header)?,
                SHT_REL => return bad("relocations without addends"),
                _ => {}
            }
        }
        Ok(object)
    }

    fn read_symbols(
        &mut self,
        reader: &Reader,
        header: &Header,
        headers: &[Header],
    ) -> Result<(), BadObject> {
        let names = headers
            .get(header.link as usize)
            .map_or(0, |header| header.offset);
        for at in (header.offset..header.offset.saturating_add(header.size)).step_by(24) {
            let section = reader.number(at + 6, 2)?;
            let value = reader.number(at + 8, 8)?;
            let place = match section {
                0 => Place::Undefined,
                1..0xff00 => Place::In(section as usize, value),
                other => Place::Other(other as u16),
            };
            let mut name = reader.name(names.saturating_add(reader.number(at, 4)?))?;
            if reader.number(at + 4, 1)? & 15 == STT_SECTION {
                name.clone_from(
                    &self
                        .sections
                        .get(section as usize)
                        .ok_or_else(|| BadObject("a symbol of no section".into()))?
                        .name,
                );
            }
            self.symbols.push(Symbol { name, place });
        }
        Ok(())
    }

    fn read_relocations(&mut self, reader: &Reader, header: &Header) -> Result<(), BadObject> {
        let Some(section) = self.sections.get_mut(header.info as usize) else {
            return bad("relocations of no section");
        };
        for at in (header.offset..header.offset.saturating_add(header.size)).step_by(24) {
            let info = reader.number(at + 8, 8)?;
            section.relocations.push(Relocation {
                offset: reader.number(at, 8)?,
                kind: info as u32,
                symbol: (info >> 32) as usize,
                addend: reader.number(at + 16, 8)? as i64,
            });
        }
        Ok(())
    }

    /// The symbol of this name that is in a section.
    pub fn find(&self, name: &str) -> Option<(usize, u64)> {
        self.symbols.iter().find_map(|symbol| match symbol.place {
            Place::In(section, offset) if symbol.name == name => Some((section, offset)),
            _ => None,
        })
    }
}

impl Header {
    fn read(reader: &Reader, at: u64) -> Result<Header, BadObject> {
        Ok(Header {
            name: reader.number(at, 4)?,
            kind: reader.number(at + 4, 4)?,
            flags: reader.number(at + 8, 8)?,
            offset: reader.number(at + 24, 8)?,
            size: reader.number(at + 32, 8)?,
            link: reader.number(at + 40, 4)?,
            info: reader.number(at + 44, 4)?,
            align: reader.number(at + 48, 8)?,
        })
    }

    fn section(&self, reader: &Reader, names: u64) -> Result<Section, BadObject> {
        let has_contents = self.kind != SHT_NOBITS;
        Ok(Section {
            name: reader.name(names.saturating_add(self.name))?,
            allocated: self.flags & SHF_ALLOC != 0,
            writable: self.flags & SHF_WRITE != 0,
            code: self.flags & SHF_EXECINSTR != 0,
            bytes: match has_contents {
                true => reader.slice(self.offset, self.size)?.to_vec(),
                false => vec![0; self.size as usize],
            },
            has_contents,
            align: self.align.max(1),
            relocations: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_is_refused() {
        for bytes in [
            &b""[..],
            b"\x7fELF\x02\x01",
            b"MZ..............................",
            &[0x7f; 100],
        ] {
            assert!(Object::parse(bytes).is_err());
        }
        let mut cut = b"\x7fELF\x02\x01".to_vec();
        cut.resize(64, 0);
        (cut[16], cut[18], cut[60]) = (1, 62, 3);
        cut[40..48].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Object::parse(&cut).is_err());
    }
}
