/** An expression as a list of operations, each after its inputs and each once: what values and bounds are computed by. */
import type { Expression } from './expression.js'
import { OPERATIONS, type Operation, type OperationName } from './operations.js'

/** One operation on registers: those of its inputs, and its own. */
export interface Step {
  readonly name: OperationName
  readonly operation: Operation
  readonly inputs: readonly number[]
  readonly out: number
}

/** Registers 0 to 2 are x, y and z; then constants, then one for each step. */
export interface Tape {
  readonly constants: readonly number[]
  readonly steps: readonly Step[]
  /** Register of the result. */
  readonly result: number
  readonly registers: number
}

/** Steps of the largest scene that is taken: a hostile file could ask for any number. */
export const MOST_STEPS = 1_000_000

/** @throws RangeError if it takes too many steps */
export function tapeOf(expression: Expression): Tape {
  const order = inputsFirst(expression)
  const constants: number[] = []
  const constantOf = new Map<number, number>()
  for (const each of order) {
    if (!('value' in each) || constantOf.has(each.value)) continue
    constantOf.set(each.value, 3 + constants.length)
    constants.push(each.value)
  }
  const steps: Step[] = []
  const registerOf = new Map<Expression, number>()
  const same = new Map<string, number>()
  for (const each of order) {
    if ('axis' in each) registerOf.set(each, each.axis)
    else if ('value' in each) registerOf.set(each, constantOf.get(each.value)!)
    else {
      const inputs = each.inputs.map((input) => registerOf.get(input)!)
      const key = `${each.name} ${inputs.join(' ')}`
      let out = same.get(key)
      if (out === undefined) {
        out = 3 + constants.length + steps.length
        steps.push({ name: each.name, operation: OPERATIONS[each.name], inputs, out })
        same.set(key, out)
      }
      registerOf.set(each, out)
    }
  }
  return { constants, steps, result: registerOf.get(expression)!, registers: 3 + constants.length + steps.length }
}

/** Every expression once, after its inputs; without recursion, as a file may nest them to any depth. */
function inputsFirst(root: Expression): Expression[] {
  const done = new Set<Expression>()
  const order: Expression[] = []
  const open: { node: Expression; next: number }[] = [{ node: root, next: 0 }]
  while (open.length > 0) {
    const top = open[open.length - 1]
    const inputs = 'inputs' in top.node ? top.node.inputs : []
    if (done.has(top.node)) open.pop()
    else if (top.next < inputs.length) open.push({ node: inputs[top.next++], next: 0 })
    else {
      done.add(top.node)
      order.push(top.node)
      open.pop()
      if (order.length > MOST_STEPS) {
        throw new RangeError(`expression: more than ${MOST_STEPS} operations; make the scene of several bodies.`)
      }
    }
  }
  return order
}
