/** Checks that every backend makes before it touches memory. */
import { requireFinite } from '../math/require.js'
import type { Tensors } from './network.js'
import { type NetworkShape, networkTensors } from './network-shape.js'

/** Far above any use; products of a few such sizes still are exact numbers. */
const LARGEST_SIZE = 65536

/** @throws RangeError if the shape contradicts itself, or a tensor is missing or has the wrong length */
export function checkNetwork(shape: NetworkShape, tensors: Tensors): void {
  const { conditioning, warp } = shape
  if (warp && conditioning.kind !== 'blend') {
    throw new RangeError(`network: a warp grid with conditioning '${conditioning.kind}'; a warp needs 'blend'.`)
  }
  if (warp && warp.channels < 3) {
    throw new RangeError(`network: the warp grid has ${warp.channels} channels; it needs at least 3, the displacement.`)
  }
  if (conditioning.kind === 'blend' && conditioning.layers > conditioning.coefficients) {
    throw new RangeError(
      `network: ${conditioning.layers} coefficients blend the layers, but there are ${conditioning.coefficients}; lower 'layers'.`,
    )
  }
  checkSizes(shape)
  for (const { lower, upper } of [...(warp ? [warp] : []), ...shape.grids]) {
    const flat = [0, 1, 2].find((axis) => !(upper[axis] > lower[axis]))
    if (flat !== undefined) {
      throw new RangeError(
        `network: a grid goes from ${lower[flat]} to ${upper[flat]} along ${'xyz'[flat]}; it needs a positive length.`,
      )
    }
  }
  requireTensors('network', networkTensors(shape), tensors)
}

/**
 * @param what  who asks, as `network`
 * @throws RangeError if a tensor is missing or has the wrong length
 */
export function requireTensors(what: string, needed: ReadonlyMap<string, number[]>, tensors: Tensors): void {
  for (const [name, dimensions] of needed) {
    const length = dimensions.reduce((product, n) => product * n, 1)
    const tensor = tensors.get(name)
    if (!tensor) throw new RangeError(`${what}: tensor '${name}' is missing; it needs ${length} values.`)
    if (tensor.length !== length) {
      throw new RangeError(
        `${what}: tensor '${name}' has ${tensor.length} values; its shape [${dimensions.join(', ')}] needs ${length}.`,
      )
    }
  }
}

/** Sizes go straight into the kernels' loops, so none may be zero, broken or absurd. */
function checkSizes(shape: NetworkShape): void {
  const grids = [...(shape.warp ? [shape.warp] : []), ...shape.grids]
  const sizes: [string, number, number][] = [
    ['code', shape.code, 0],
    ...shape.hidden.map((width, l): [string, number, number] => [`hidden layer ${l}`, width, 1]),
    ...grids.map(({ channels }): [string, number, number] => ['grid channels', channels, 1]),
    ...grids.flatMap(({ resolution }) => resolution.map((n): [string, number, number] => ['grid nodes', n, 2])),
  ]
  if (shape.conditioning.kind === 'blend') {
    const { coefficients, hidden, layers } = shape.conditioning
    sizes.push(['coefficients', coefficients, 0], ['hidden code units', hidden, 0], ['blended layers', layers, 0])
  }
  requireSizes('network', sizes)
}

/** @param sizes  of what, the size, the least it may be */
export function requireSizes(what: string, sizes: readonly (readonly [string, number, number])[]): void {
  for (const [of, size, least] of sizes) {
    if (!Number.isInteger(size) || size < least || size > LARGEST_SIZE) {
      throw new RangeError(`${what}: ${of} of size ${size}; it needs a whole number from ${least} to ${LARGEST_SIZE}.`)
    }
  }
}

/** @throws RangeError if the code's length is not the network's, or an entry is not finite */
export function checkCode(shape: NetworkShape, code: ArrayLike<number>): void {
  if (code?.length !== shape.code) {
    throw new RangeError(`pose: code has ${code?.length} values; this network needs ${shape.code}.`)
  }
  requireFinite('pose', code, 'code entry')
}

/** @throws Error if no pose was set */
export function checkPosed(isPosed: boolean): void {
  if (!isPosed) throw new Error('query: the network has no pose yet; call pose(code) first.')
}
