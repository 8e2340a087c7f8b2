/** Dense networks that models and other networks are made of (net/dense/dense-shape.ts), as a manifest says them. */
import type { DenseShape } from '../../net/dense/dense-shape.js'
import { object, wholeUpTo, widths, wrong } from '../checks.js'
import { ACTIVATIONS } from './whole.js'

/** Far more numbers than anybody's network takes or gives. */
const MOST_NUMBERS = 2 ** 24

/** @throws Error naming the first field that is missing or wrong */
export function checkDenseShape(value: unknown, path: string): DenseShape {
  const shape = object(value, path) as Partial<Record<keyof DenseShape, unknown>>
  wholeUpTo(shape.inputs, MOST_NUMBERS, `${path}.inputs`, 1)
  wholeUpTo(shape.outputs, MOST_NUMBERS, `${path}.outputs`, 1)
  widths(shape.hidden, `${path}.hidden`)
  const known: readonly unknown[] = ACTIVATIONS
  if (!known.includes(shape.activation)) throw wrong(`${path}.activation`, shape.activation, ACTIVATIONS.join(', '))
  const outputs = ['linear', ...ACTIVATIONS.filter((name) => name !== 'relu')]
  if (!outputs.includes(shape.output as string)) throw wrong(`${path}.output`, shape.output, outputs.join(', '))
  return shape as DenseShape
}
