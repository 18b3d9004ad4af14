const multiplier = 0x5bd1e995;
const shift = 24;
const seed = 0x9747b28c;

/** The hash by which Kafka's own clients choose partitions, so that a key of theirs and of ours meet: never negative. */
export function partitionHash(key: Buffer): number {
  return murmur2(key) & 0x7fff_ffff;
}

/** MurmurHash 2 of 32 bits, as Kafka seeds it. */
function murmur2(bytes: Buffer): number {
  let hash = seed ^ bytes.length;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), multiplier);
    word = Math.imul(word ^ (word >>> shift), multiplier);
    hash = Math.imul(hash, multiplier) ^ word;
  }
  const rest = bytes.length - at;
  if (rest > 0) hash = Math.imul(hash ^ bytes.readUIntLE(at, rest), multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
