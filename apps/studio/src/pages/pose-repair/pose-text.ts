/** A code in the address: numbers with commas, four digits after the point, zeros left out. */
const DECIMALS = 4
const REST = 'rest'

export function writePose(code: ArrayLike<number>): string {
  const numbers = Array.from(code, (value) => String(Number(value.toFixed(DECIMALS))))
  if (numbers.every((text) => text === '0' || text === '-0')) return REST
  return numbers.map((text) => (text === '0' || text === '-0' ? '' : text)).join(',')
}

/** @returns undefined for what is no code of that size: addresses are edited by hand, and written for other bodies */
export function readPose(text: string, size: number): Float64Array | undefined {
  if (text === REST) return new Float64Array(size)
  const numbers = text.split(',').map((part) => (part.trim() === '' ? 0 : Number(part)))
  return numbers.length === size && numbers.every(Number.isFinite) ? Float64Array.from(numbers) : undefined
}
