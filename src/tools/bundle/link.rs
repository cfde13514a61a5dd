//! A small static linker: from an object to code, data and zeros that know where they point.
//!
//! What the entry reaches is laid out in three blocks: code with constants, data (which holds pointers or is
//! written to), and zeros. References inside the code block are filled in here; those between blocks stay
//! open, since only the final link knows the distance. A function of libc gets a slot in the data block, and
//! a jump through it where it is called directly. Large constants that are files of the library may be
//! taken out and delivered as text. What this module does not know stops it, with its name.

use super::elf::{Object, Place, Section};
use std::collections::HashMap;
use std::fmt;

/// A block of the finished program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Block {
    /// Code and constants, read-only.
    Code,
    /// What is written to or holds pointers.
    Data,
    /// What begins as zeros.
    Zeros,
}

/// An address in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// The block.
    pub block: Block,
    /// Bytes from its beginning; may lie outside, as a compiler may subtract before it adds.
    pub offset: i64,
}

/// A place that the final link fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Where in its block.
    pub offset: usize,
    /// What is pointed to.
    pub target: Address,
}

/// A linked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Code and constants.
    pub code: Vec<u8>,
    /// Four-byte distances in the code, from the place itself to another block.
    pub code_open: Vec<Open>,
    /// Data.
    pub data: Vec<u8>,
    /// Eight-byte pointers in the data.
    pub data_open: Vec<Open>,
    /// The number of zeros.
    pub zeros: usize,
    /// Functions of libc; each has eight bytes in the data, at [`Program::imports_at`], in this order.
    pub imports: Vec<String>,
    /// Where the slots of the imports begin in the data.
    pub imports_at: usize,
    /// Files that were taken out: their index in the list given, and where they go in the zeros.
    pub files: Vec<(usize, usize)>,
    /// Where the entry is in the code.
    pub entry: usize,
}

/// Why an object cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError(pub String);

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "link: {}", self.0)
    }
}

fn error<T>(what: impl Into<String>) -> Result<T, LinkError> {
    Err(LinkError(what.into()))
}

/// Relocation kinds of the x86-64 psABI.
pub mod kind {
    /// An eight-byte address.
    pub const ABSOLUTE: u32 = 1;
    /// A four-byte distance from the place.
    pub const PC32: u32 = 2;
    /// The same, to a function.
    pub const PLT32: u32 = 4;
    /// A four-byte distance to a slot that holds the address.
    pub const GOTPCREL: u32 = 9;
    /// An eight-byte distance from the place.
    pub const PC64: u32 = 24;
    /// As [`GOTPCREL`], in an instruction that can do without the slot.
    pub const GOTPCRELX: u32 = 41;
    /// The same, with a REX prefix.
    pub const REX_GOTPCRELX: u32 = 42;
}

/// Constants shorter than this are not worth taking out.
const LEAST_FILE: usize = 4_096;

/// Links what `entry` reaches. `files` are contents of files that may occur as constants.
pub fn link(
    object: &Object,
    entry: &str,
    allowed: &[&str],
    files: &[Vec<u8>],
) -> Result<Program, LinkError> {
    let Some((entry_section, entry_offset)) = object.find(entry) else {
        return error(format!("there is no symbol '{entry}'"));
    };
    let mut linker = Linker {
        object,
        allowed,
        program: Program::default(),
        addresses: HashMap::new(),
        imports: HashMap::new(),
        jumps: HashMap::new(),
        slots: HashMap::new(),
    };
    let order = linker.reachable(entry_section)?;
    for &index in &order {
        linker.place(index, files);
    }
    linker.place_imports();
    for &index in &order {
        linker.fill_in(index)?;
    }
    let entry = linker.address(entry_section, entry_offset as i64)?;
    if entry.block != Block::Code {
        return error(format!("the entry '{entry:?}' is no code"));
    }
    linker.program.entry = entry.offset as usize;
    Ok(linker.program)
}

struct Linker<'a> {
    object: &'a Object,
    allowed: &'a [&'a str],
    program: Program,
    /// Where each section went.
    addresses: HashMap<usize, Address>,
    /// The slot number of each import, by symbol.
    imports: HashMap<String, usize>,
    /// The jump to each import in the code, by slot number.
    jumps: HashMap<usize, i64>,
    /// Slots in the data for addresses that an instruction wants to read from memory.
    slots: HashMap<Address, i64>,
}

impl std::hash::Hash for Address {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.block, self.offset).hash(state);
    }
}

/// What a relocation refers to.
enum Target {
    Inside(Address),
    Import(usize),
}

fn section(object: &Object, index: usize) -> Result<&Section, LinkError> {
    let missing = || LinkError(format!("there is no section {index}"));
    object.sections.get(index).ok_or_else(missing)
}

/// The block that a section belongs to.
fn block_of(section: &Section) -> Block {
    let pointers = section
        .relocations
        .iter()
        .any(|relocation| relocation.kind == kind::ABSOLUTE);
    if !section.has_contents {
        Block::Zeros
    } else if section.writable || pointers {
        Block::Data
    } else {
        Block::Code
    }
}

fn align(length: usize, align: u64) -> usize {
    length.next_multiple_of(align.max(1) as usize)
}

impl Linker<'_> {
    /// The sections that the entry reaches, code first, and the imports on the way.
    fn reachable(&mut self, entry: usize) -> Result<Vec<usize>, LinkError> {
        let mut order = vec![entry];
        let mut at = 0;
        while let Some(&index) = order.get(at) {
            at += 1;
            for relocation in &section(self.object, index)?.relocations {
                let Some(symbol) = self.object.symbols.get(relocation.symbol) else {
                    return error(format!("there is no symbol {}", relocation.symbol));
                };
                match symbol.place {
                    Place::In(next, _) if !order.contains(&next) => {
                        let target = section(self.object, next)?;
                        if !target.allocated {
                            return error(format!(
                                "'{}' points to '{}', which is not loaded",
                                section(self.object, index)?.name,
                                target.name
                            ));
                        }
                        order.push(next);
                    }
                    Place::In(..) => {}
                    Place::Undefined if self.allowed.contains(&symbol.name.as_str()) => {
                        let next = self.imports.len();
                        if !self.imports.contains_key(&symbol.name) {
                            self.imports.insert(symbol.name.clone(), next);
                            self.program.imports.push(symbol.name.clone());
                        }
                    }
                    Place::Undefined => return error(format!("unknown symbol '{}'", symbol.name)),
                    Place::Other(index) => {
                        return error(format!("symbol '{}' of section {index:#x}", symbol.name))
                    }
                }
            }
        }
        order.sort_by_key(|&index| {
            let code = self.object.sections[index].code;
            (!code, std::cmp::Reverse(self.object.sections[index].align))
        });
        Ok(order)
    }

    /// Gives a section its place.
    fn place(&mut self, index: usize, files: &[Vec<u8>]) {
        let section = &self.object.sections[index];
        let is_file = |file: &Vec<u8>| file.len() >= LEAST_FILE && *file == section.bytes;
        let file = files
            .iter()
            .position(is_file)
            .filter(|_| section.has_contents);
        let block = match file {
            Some(_) => Block::Zeros,
            None => block_of(section),
        };
        let program = &mut self.program;
        let offset = match block {
            Block::Code | Block::Data => {
                let bytes = if block == Block::Code {
                    &mut program.code
                } else {
                    &mut program.data
                };
                bytes.resize(align(bytes.len(), section.align), 0);
                let offset = bytes.len();
                bytes.extend_from_slice(&section.bytes);
                offset
            }
            Block::Zeros => {
                let offset = align(program.zeros, section.align.max(16));
                // Decoding goes by whole words.
                program.zeros = offset + section.bytes.len().next_multiple_of(4);
                offset
            }
        };
        if let Some(file) = file {
            program.files.push((file, offset));
        }
        let offset = offset as i64;
        self.addresses.insert(index, Address { block, offset });
    }

    /// Makes the slots of the imports, and jumps through them.
    fn place_imports(&mut self) {
        let program = &mut self.program;
        let length = align(program.data.len(), 8);
        program.imports_at = length;
        program.data.resize(length + 8 * program.imports.len(), 0);
        for slot in 0..program.imports.len() {
            let at = align(program.code.len(), 8);
            // jmp *slot(%rip)
            program.code.resize(at, 0);
            program.code.extend([0xff, 0x25, 0, 0, 0, 0]);
            program.code_open.push(Open {
                offset: at + 2,
                target: Address {
                    block: Block::Data,
                    offset: (program.imports_at + 8 * slot) as i64 - 4,
                },
            });
            self.jumps.insert(slot, at as i64);
        }
    }

    fn address(&self, section: usize, offset: i64) -> Result<Address, LinkError> {
        let unplaced = || LinkError(format!("section {section} has no place"));
        let base = self.addresses.get(&section).ok_or_else(unplaced)?;
        Ok(Address {
            offset: base.offset + offset,
            ..*base
        })
    }

    fn target(&self, symbol: usize) -> Result<Target, LinkError> {
        let symbol = &self.object.symbols[symbol];
        match symbol.place {
            Place::In(section, offset) => Ok(Target::Inside(self.address(section, offset as i64)?)),
            _ => match self.imports.get(&symbol.name) {
                Some(&slot) => Ok(Target::Import(slot)),
                None => error(format!("unknown symbol '{}'", symbol.name)),
            },
        }
    }

    /// Fills in a section's relocations.
    fn fill_in(&mut self, index: usize) -> Result<(), LinkError> {
        let base = self.address(index, 0)?;
        for relocation in &self.object.sections[index].relocations {
            let place = Address {
                block: base.block,
                offset: base.offset + relocation.offset as i64,
            };
            let target = self.target(relocation.symbol)?;
            let addend = relocation.addend;
            let name = &self.object.symbols[relocation.symbol].name;
            match (relocation.kind, target) {
                (kind::ABSOLUTE, Target::Inside(target)) => self.pointer(place, target, addend)?,
                (kind::PC32 | kind::PLT32, Target::Inside(target)) => {
                    self.distance(place, target, addend)?
                }
                (kind::PC64, Target::Inside(target)) => {
                    self.long_distance(place, target, addend)?
                }
                (kind::PC32 | kind::PLT32, Target::Import(slot)) => {
                    let jump = self.jump(slot);
                    self.distance(place, jump, addend)?;
                }
                (kind::GOTPCREL | kind::GOTPCRELX | kind::REX_GOTPCRELX, Target::Import(slot)) => {
                    let slot = self.import_slot(slot);
                    self.distance(place, slot, addend)?;
                }
                (
                    kind::GOTPCREL | kind::GOTPCRELX | kind::REX_GOTPCRELX,
                    Target::Inside(target),
                ) => {
                    self.without_slot(place, target, addend, relocation.kind)?;
                }
                (kind::ABSOLUTE, Target::Import(slot)) => {
                    let jump = self.jump(slot);
                    self.pointer(place, jump, addend)?;
                }
                (other, _) => return error(format!("unknown relocation kind {other} to '{name}'")),
            }
        }
        Ok(())
    }

    fn jump(&self, slot: usize) -> Address {
        Address {
            block: Block::Code,
            offset: self.jumps.get(&slot).copied().unwrap_or(0),
        }
    }

    fn import_slot(&self, slot: usize) -> Address {
        Address {
            block: Block::Data,
            offset: (self.program.imports_at + 8 * slot) as i64,
        }
    }

    /// An eight-byte pointer, for which only the data block has room.
    fn pointer(&mut self, place: Address, target: Address, addend: i64) -> Result<(), LinkError> {
        if place.block != Block::Data {
            return error(format!("a pointer in {:?}", place.block));
        }
        self.program.data_open.push(Open {
            offset: place.offset as usize,
            target: Address {
                offset: target.offset + addend,
                ..target
            },
        });
        Ok(())
    }

    /// A four-byte distance from `place`.
    fn distance(&mut self, place: Address, target: Address, addend: i64) -> Result<(), LinkError> {
        let target = Address {
            offset: target.offset + addend,
            ..target
        };
        if place.block == target.block {
            let distance = i32::try_from(target.offset - place.offset);
            let far = |_| LinkError("a distance of more than 2 GiB".into());
            return self.write(place, &distance.map_err(far)?.to_le_bytes());
        }
        if place.block != Block::Code {
            return error("a distance from data to another block");
        }
        self.program.code_open.push(Open {
            offset: place.offset as usize,
            target,
        });
        Ok(())
    }

    fn long_distance(
        &mut self,
        place: Address,
        target: Address,
        addend: i64,
    ) -> Result<(), LinkError> {
        if place.block != target.block {
            return error("a long distance between blocks");
        }
        self.write(
            place,
            &(target.offset + addend - place.offset).to_le_bytes(),
        )
    }

    fn write(&mut self, place: Address, bytes: &[u8]) -> Result<(), LinkError> {
        let block = match place.block {
            Block::Code => &mut self.program.code,
            Block::Data => &mut self.program.data,
            Block::Zeros => return error("a relocation among zeros"),
        };
        let at = place.offset as usize;
        let Some(to) = block.get_mut(at..at + bytes.len()) else {
            return error("a relocation outside its section");
        };
        to.copy_from_slice(bytes);
        Ok(())
    }

    /// An instruction that reads an address from a slot: made to do without, as the psABI allows, or given a
    /// slot.
    fn without_slot(
        &mut self,
        place: Address,
        target: Address,
        addend: i64,
        kind: u32,
    ) -> Result<(), LinkError> {
        let at = place.offset as usize;
        if place.block == Block::Code && at >= 2 && kind != kind::GOTPCREL {
            let (opcode, mode) = (self.program.code[at - 2], self.program.code[at - 1]);
            if opcode == 0x8b {
                // mov slot(%rip), %reg: lea target(%rip), %reg
                self.program.code[at - 2] = 0x8d;
                return self.distance(place, target, addend);
            }
            if (opcode, mode) == (0xff, 0x15) {
                // call *slot(%rip): addr32 call target
                self.program.code[at - 2] = 0x67;
                self.program.code[at - 1] = 0xe8;
                return self.distance(place, target, addend);
            }
            if (opcode, mode) == (0xff, 0x25) {
                // jmp *slot(%rip): jmp target; nop
                self.program.code[at - 2] = 0xe9;
                self.program.code[at + 3] = 0x90;
                let earlier = Address {
                    offset: place.offset - 1,
                    ..place
                };
                return self.distance(earlier, target, addend);
            }
        }
        let slot = self.slot(target);
        self.distance(place, slot, addend)
    }

    /// A slot in the data that holds an address.
    fn slot(&mut self, target: Address) -> Address {
        let program = &mut self.program;
        let offset = *self.slots.entry(target).or_insert_with(|| {
            let at = align(program.data.len(), 8);
            program.data.resize(at + 8, 0);
            program.data_open.push(Open { offset: at, target });
            at as i64
        });
        Address {
            block: Block::Data,
            offset,
        }
    }
}

#[cfg(test)]
mod tests;
