/**
 * Records in WebAssembly memory, through which JavaScript tells kernels what to do. A record is declared once, by its
 * fields; where they lie, how JavaScript writes them and how kernels load and store them follows from that.
 */
import type { Code, I32, Statement, V128, ValueType } from './code.js'
import { f32, i32, loadDouble, storeDouble, v128 } from './instructions.js'

/** 32-bit words, floats, doubles, four words, four floats. */
type Element = 'u32' | 'f32' | 'f64' | 'u32x4' | 'f32x4'

/** One element, or an array of so many. */
type Field = Element | readonly [Element, number]

type Fields = Readonly<Record<string, Field>>

type ElementOf<T extends Field> = T extends readonly [infer E extends Element, number] ? E : T

interface Stack {
  u32: 'i32'
  f32: 'f32'
  f64: 'f64'
  u32x4: 'v128'
  f32x4: 'v128'
}
/** What a field's element is on the stack. */
type StackOf<T extends Field> = ElementOf<T> extends infer E extends Element ? Stack[E] : never

/** Names of the fields that hold elements of a type. */
type FieldsOf<F extends Fields, E extends Element> = {
  [K in keyof F]: ElementOf<F[K]> extends E ? K : never
}[keyof F]

/** One number, or the numbers of all elements one after the other; what is left out at their end stays. */
type FieldValues<F extends Fields> = {
  [K in keyof F]: F[K] extends 'u32' | 'f32' | 'f64' ? number : ArrayLike<number>
}

/** What JavaScript writes into a record: `Values<typeof GRID>`. */
export type Values<L> = L extends RecordLayout<infer F> ? FieldValues<F> : never

export interface RecordLayout<F extends Fields> {
  /** Byte at which each field begins. */
  readonly at: { readonly [K in keyof F]: number }
  /** Bytes from one record to the next. */
  readonly size: number
  /** Its logarithm, where it is a power of two. */
  readonly shift: number
  /** @param index  which element of an array */
  load<K extends keyof F>(address: I32, field: K, index?: number): Code<StackOf<F[K]>>
  store<K extends keyof F>(address: I32, field: K, value: Code<StackOf<F[K]>>, index?: number): Statement
  /** A float, in all four lanes. */
  splat(address: I32, field: FieldsOf<F, 'f32'>, index?: number): V128
  /** Writes the fields that are given. @param address byte within the view's buffer at which the record begins */
  write(view: DataView, address: number, values: Partial<FieldValues<F>>): void
  /** Records one after the other, as words. */
  encode(records: readonly FieldValues<F>[]): Int32Array
}

interface ElementKind {
  bytes: number
  /** Bytes of the numbers it consists of. */
  step: number
  load(address: I32, offset: number): Code<ValueType>
  // biome-ignore lint/suspicious/noExplicitAny: each stores its own type; `RecordLayout.store` is typed.
  store(address: I32, value: Code<any>, offset: number): Statement
  write(view: DataView, at: number, value: number): void
}

const writeWord = (view: DataView, at: number, value: number): void => view.setUint32(at, value, true)
const writeFloat = (view: DataView, at: number, value: number): void => view.setFloat32(at, value, true)

const KINDS: Record<Element, ElementKind> = {
  u32: { bytes: 4, step: 4, load: i32.load, store: i32.store, write: writeWord },
  f32: { bytes: 4, step: 4, load: f32.load, store: f32.store, write: writeFloat },
  f64: {
    ...{ bytes: 8, step: 8, load: loadDouble, store: storeDouble },
    write: (view, at, value) => view.setFloat64(at, value, true),
  },
  u32x4: { bytes: 16, step: 4, load: v128.load, store: v128.store, write: writeWord },
  f32x4: { bytes: 16, step: 4, load: v128.load, store: v128.store, write: writeFloat },
}

/**
 * @param fields  in the order in which they lie in memory, one behind the other; doubles are at multiples of 8
 * @param size    bytes of the whole, where it is to be more than the fields need, say a power of two
 */
export function record<const F extends Fields>(fields: F, size = 0): RecordLayout<F> {
  const at: Record<string, number> = {}
  const bytes: Record<string, number> = {}
  const kinds: Record<string, ElementKind> = {}
  let end = 0
  for (const [name, field] of Object.entries(fields)) {
    const [element, count] = typeof field === 'string' ? [field, 1] : field
    const kind = KINDS[element]
    end = Math.ceil(end / kind.step) * kind.step
    at[name] = end
    kinds[name] = kind
    bytes[name] = count * kind.bytes
    end += bytes[name]
  }
  const widest = Math.max(...Object.values(kinds).map(({ step }) => step))
  const whole = Math.max(size, Math.ceil(end / widest) * widest)
  const write = (view: DataView, address: number, values: Partial<FieldValues<F>>): void => {
    for (const [name, value] of Object.entries(values) as [string, number | ArrayLike<number>][]) {
      const kind = kinds[name]
      const first = address + at[name]
      if (typeof value === 'number') kind.write(view, first, value)
      else {
        if (value.length * kind.step > bytes[name]) {
          throw new RangeError(
            `record: ${value.length} numbers for '${name}'; it has room for ${bytes[name] / kind.step}.`,
          )
        }
        for (let i = 0; i < value.length; i++) kind.write(view, first + i * kind.step, value[i])
      }
    }
  }
  const offset = (name: string, index: number): number => at[name] + index * kinds[name].bytes
  return {
    at: at as { [K in keyof F]: number },
    size: whole,
    shift: Math.log2(whole),
    load: (address, name, index = 0) =>
      kinds[name as string].load(address, offset(name as string, index)) as Code<StackOf<F[typeof name]>>,
    store: (address, name, value, index = 0) =>
      kinds[name as string].store(address, value, offset(name as string, index)),
    splat: (address, name, index = 0) => v128.loadSplat(address, offset(name as string, index)),
    write,
    encode(records) {
      const words = new Int32Array((records.length * whole) / 4)
      const view = new DataView(words.buffer)
      for (const [i, values] of records.entries()) write(view, i * whole, values)
      return words
    },
  }
}
