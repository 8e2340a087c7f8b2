/** Cells of the paper's tables, each one trained network, by the names that files and the command line call them. */
import type { DrawnImage } from '../images/drawn-images.js'

export type CellMethod = 'paper' | 'ours'

/** A network of Table 1: `bracelet-7-paper-1`. */
export interface NetworkCell {
  kind: 'network'
  body: string
  modes: number
  method: CellMethod
  seed: number
}

/** One of Fig. 5: the paper's first pass alone, with a network of so many layers of one width: `grid-snake-5-2x70`. */
export interface GridCell {
  kind: 'grid'
  body: string
  modes: number
  layers: number
  width: number
}

/**
 * One of Fig. 6, a binary image: `image-pear-paper`, `image-leaf-ours`; or with another network than the method's own, of
 * ReLU units: `image-leaf-ours-2x70`.
 */
export interface ImageCell {
  kind: 'image'
  image: DrawnImage
  method: CellMethod
  network?: { layers: number; width: number }
}

export type Cell = NetworkCell | GridCell | ImageCell

/** Of Table 1, in its order; a spring can be named, too. */
export const TABLE_BODIES = ['snake', 'bunny', 'bracelet'] as const
export const TABLE_MODES = [3, 5, 7] as const
export const METHODS: readonly CellMethod[] = ['paper', 'ours']
const BODIES = [...TABLE_BODIES, 'spring']

/** Of Fig. 5, in the order of its rows. The paper's widths go from 10 to 100, it does not say in which steps. */
export const GRID = {
  bodies: ['bunny', 'snake'],
  modes: [3, 4, 5, 6, 7],
  layers: [1, 2, 3],
  widths: [10, 30, 50, 70, 100],
} as const

/** Of Fig. 6. Ours has a network of its own; with the paper's the methods alone differ. */
export const IMAGES: readonly DrawnImage[] = ['pear', 'leaf']
const PAPER_NETWORK = { layers: 2, width: 70 } as const

const FORMS =
  'all, BODY, BODY-MODES, BODY-MODES-METHOD, BODY-MODES-METHOD-SEED, grid, grid-BODY, grid-BODY-MODES, grid-BODY-MODES-LAYERSxWIDTH, image, image-IMAGE, image-IMAGE-METHOD, image-IMAGE-METHOD-LAYERSxWIDTH'

export function nameOfCell(cell: Cell): string {
  if (cell.kind === 'network') return `${cell.body}-${cell.modes}-${cell.method}-${cell.seed}`
  if (cell.kind === 'grid') return `grid-${cell.body}-${cell.modes}-${cell.layers}x${cell.width}`
  const { image, method, network } = cell
  return `image-${image}-${method}${network ? `-${network.layers}x${network.width}` : ''}`
}

/**
 * @param text  names, separated by commas; one that is cut short means all that begin with it, `all` those of Table 1
 * @returns each cell once, those of fewer modes first where a name means several
 * @throws Error in one line that lists the forms
 */
export function parseCells(text: string): Cell[] {
  const cells = text.split(',').flatMap((name) => cellsOf(name.trim()))
  return [...new Map(cells.map((cell) => [nameOfCell(cell), cell])).values()]
}

/** Every cell of Table 1 at the modes that are asked for, by both methods. */
export function tableCells(): NetworkCell[] {
  return networkCells(TABLE_BODIES, TABLE_MODES, METHODS, 1)
}

/** Every cell of Fig. 6: both methods as they are, and ours with the paper's network. */
export function imageCells(images = IMAGES): ImageCell[] {
  return images.flatMap((image): ImageCell[] => [
    ...METHODS.map((method): ImageCell => ({ kind: 'image', image, method })),
    { kind: 'image', image, method: 'ours', network: PAPER_NETWORK },
  ])
}

function cellsOf(name: string): Cell[] {
  if (name === 'all') return tableCells()
  const [first, ...rest] = name.split('-')
  const found = first === 'grid' ? gridOf(rest) : first === 'image' ? imagesOf(rest) : networksOf(first, rest)
  if (found) return found
  throw new Error(
    `reproduce: there is no cell '${name}'; --cells takes ${FORMS}, where BODY is ${BODIES.join(', ')}, MODES 2 to 10, METHOD ${METHODS.join(' or ')}, IMAGE ${IMAGES.join(' or ')}.`,
  )
}

function networksOf(body: string, [modes, method, seed, ...more]: string[]): NetworkCell[] | undefined {
  if (!BODIES.includes(body) || more.length > 0) return undefined
  const counts = modes === undefined ? TABLE_MODES : modesOf(modes)
  const methods = method === undefined ? METHODS : METHODS.filter((one) => one === method)
  if (!counts || methods.length === 0 || !/^\d{1,9}$/.test(seed ?? '1')) return undefined
  return networkCells([body], counts, methods, Number(seed ?? 1))
}

function networkCells(
  bodies: readonly string[],
  counts: readonly number[],
  methods: readonly CellMethod[],
  seed: number,
): NetworkCell[] {
  return counts.flatMap((modes) =>
    bodies.flatMap((body) => methods.map((method): NetworkCell => ({ kind: 'network', body, modes, method, seed }))),
  )
}

function gridOf([body, modes, size, ...more]: string[]): GridCell[] | undefined {
  if ((body !== undefined && !BODIES.includes(body)) || more.length > 0) return undefined
  const counts = modes === undefined ? GRID.modes : modesOf(modes)
  const sizes = size === undefined ? GRID.layers.flatMap((layers) => GRID.widths.map((w) => [layers, w])) : sizeOf(size)
  if (!counts || !sizes) return undefined
  return counts.flatMap((modes) =>
    (body === undefined ? GRID.bodies : [body]).flatMap((body) =>
      sizes.map(([layers, width]): GridCell => ({ kind: 'grid', body, modes, layers, width })),
    ),
  )
}

/** A method alone is a whole name: its own network. */
function imagesOf([image, method, size, ...more]: string[]): ImageCell[] | undefined {
  const images = image === undefined ? IMAGES : IMAGES.filter((one) => one === image)
  if (images.length === 0 || more.length > 0) return undefined
  if (method === undefined) return imageCells(images)
  const [sizes] = size === undefined ? [[]] : (sizeOf(size) ?? [])
  const found = METHODS.find((one) => one === method)
  if (!found || !sizes) return undefined
  const [layers, width] = sizes
  return [{ kind: 'image', image: images[0], method: found, ...(size !== undefined && { network: { layers, width } }) }]
}

function modesOf(text: string): number[] | undefined {
  return /^([2-9]|10)$/.test(text) ? [Number(text)] : undefined
}

function sizeOf(text: string): number[][] | undefined {
  const [, layers, width] = /^([1-9])x([1-9]\d{0,2})$/.exec(text) ?? []
  return width === undefined ? undefined : [[Number(layers), Number(width)]]
}
