/**
 * Colour maps as tables of 256 colours, mixed in OKLab (Ottosson 2020), where equal steps look equally large.
 * The diverging map is blue against orange, which all common kinds of colour blindness keep apart, and its lightness
 * falls evenly to both sides of zero, so that it also reads in grey.
 */
export type Rgb = readonly [number, number, number]

/** 256 colours, rgb bytes in a row. */
export type ColourTable = Uint8ClampedArray

/** Signed distance: -1 (inside, orange) over 0 (near white) to 1 (outside, blue). */
export const DIVERGING: ColourTable = colourTable([
  [122, 46, 0],
  [200, 88, 12],
  [242, 160, 84],
  [246, 242, 234],
  [122, 176, 226],
  [40, 107, 176],
  [14, 50, 99],
])

/** Size of the error: 0 (dark) to 1 (bright). */
export const SEQUENTIAL: ColourTable = colourTable([
  [20, 22, 38],
  [74, 36, 112],
  [160, 44, 112],
  [224, 84, 76],
  [248, 158, 72],
  [252, 232, 160],
])

/** A table through colours at equal distances. */
export function colourTable(stops: readonly Rgb[]): ColourTable {
  const table = new Uint8ClampedArray(3 * 256)
  const labs = stops.map(okLab)
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1)
    const from = Math.min(Math.floor(at), stops.length - 2)
    const share = at - from
    const mixed = [0, 1, 2].map((c) => labs[from][c] * (1 - share) + labs[from + 1][c] * share)
    table.set(rgbOf(mixed as unknown as Rgb), 3 * i)
  }
  return table
}

/** Where a value falls in a table whose ends are `lower` and `upper`; values beyond are drawn as the ends. */
export function colourIndex(value: number, lower: number, upper: number): number {
  const share = (value - lower) / (upper - lower)
  return Math.round(255 * Math.min(1, Math.max(0, share)))
}

export function cssColour(table: ColourTable, index: number): string {
  return `rgb(${table[3 * index]} ${table[3 * index + 1]} ${table[3 * index + 2]})`
}

/** sRGB bytes to OKLab: lightness 0 to 1, then green-red and blue-yellow. */
export function okLab([r, g, b]: Rgb): Rgb {
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)]
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb)
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb)
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function rgbOf([lightness, a, b]: Rgb): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function linear(byte: number): number {
  const c = byte / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}

function encoded(value: number): number {
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
}
