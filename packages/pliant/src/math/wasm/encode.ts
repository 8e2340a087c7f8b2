/** Numbers, text and lists as the WebAssembly binary format writes them (core specification, part 5). */

/** LEB128: seven bits at a time, lowest first, the eighth says that more follow. */
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

export function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

export function text(name: string): number[] {
  const bytes = [...new TextEncoder().encode(name)]
  return [...unsigned(bytes.length), ...bytes]
}

/** How many items, then the items. */
export function list(items: number[][]): number[] {
  // concat copies whole arrays; flat and spreading go number by number, and took most of the time of assembling.
  return unsigned(items.length).concat(...items)
}

/** A section of a module, or a part of one: what it is, how long, its content. */
export function section(id: number, content: number[]): number[] {
  return [id].concat(unsigned(content.length), content)
}
