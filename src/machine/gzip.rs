//! gzip on all cores: parts that are compressed apart make one member, which any program unpacks.
//!
//! Invariant: the same parts give the same bytes, whatever the number of cores. Must not know what
//! it compresses.

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};
use std::io;

const LEVEL: u32 = 6;
/// No name, no time, no system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// A stretch of the content, compressed without the others.
pub struct Part {
    packed: Vec<u8>,
    sum: Hasher,
    size: u64,
}

impl Part {
    pub fn of(bytes: &[u8]) -> io::Result<Part> {
        // Ends at a whole byte, so that the next part can follow.
        Part::flushed(bytes, FlushCompress::Sync)
    }

    fn flushed(bytes: &[u8], flush: FlushCompress) -> io::Result<Part> {
        let mut compress = Compress::new(Compression::new(LEVEL), false);
        // More than incompressible bytes take, so that one call packs everything.
        let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 4 + 1024);
        compress.compress_vec(bytes, &mut packed, flush).map_err(io::Error::other)?;
        if compress.total_in() != bytes.len() as u64 || packed.len() == packed.capacity() {
            return Err(io::Error::other("the compression stopped early"));
        }
        packed.shrink_to_fit();
        let mut sum = Hasher::new();
        sum.update(bytes);
        Ok(Part { packed, sum, size: bytes.len() as u64 })
    }
}

/// A gzip file, part by part.
pub struct Member {
    bytes: Vec<u8>,
    sum: Hasher,
    size: u64,
}

impl Member {
    pub fn begin() -> Member {
        Member { bytes: HEAD.to_vec(), sum: Hasher::new(), size: 0 }
    }

    pub fn push(&mut self, part: &Part) {
        self.bytes.extend_from_slice(&part.packed);
        self.sum.combine(&part.sum);
        self.size += part.size;
    }

    /// The whole file, with these bytes at the end of the content.
    pub fn end(mut self, last: &[u8]) -> io::Result<Vec<u8>> {
        self.push(&Part::flushed(last, FlushCompress::Finish)?);
        self.bytes.extend(self.sum.finalize().to_le_bytes());
        // The format has the size modulo 2^32.
        let [a, b, c, d, ..] = self.size.to_le_bytes();
        self.bytes.extend([a, b, c, d]);
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Bytes that nothing makes smaller.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn parts_make_one_member() {
        let text = b"the same words again and again, ".repeat(20_000);
        for parts in [
            vec![],
            vec![Vec::new()],
            vec![b"a".to_vec()],
            vec![noise(300_000), text.clone(), Vec::new(), noise(7)],
            vec![text[..70_000].to_vec(), text[70_000..].to_vec()],
        ] {
            let mut member = Member::begin();
            for part in &parts {
                member.push(&Part::of(part).expect("compressed"));
            }
            let bytes = member.end(b"the end").expect("compressed");
            let mut read = Vec::new();
            let mut input = &bytes[..];
            // Reads one member, and fails if its checksum or size is wrong.
            flate2::bufread::GzDecoder::new(&mut input).read_to_end(&mut read).expect("one member");
            assert_eq!(read, [&parts.concat()[..], b"the end"].concat());
            assert_eq!(input, b"", "nothing follows");
        }
    }
}
