/** From functions to the bytes of a module (WebAssembly core specification, part 5). */
import { type Code, type Local, type Part, Scope, type Statement, type ValueType, variable } from './code.js'
import { list, section, signed, text, unsigned } from './encode.js'

/** Parameters by name, in the order in which JavaScript gives them. */
export type Params = Readonly<Record<string, ValueType>>

export interface Signature<P extends Params, R extends ValueType | 'void'> {
  params: P
  /** What the function returns; default nothing. */
  result?: R
  /** Whether JavaScript may call it. Default false. */
  isExported?: boolean
}

/** Statements, and behind them the result if there is one. */
export type Body<R extends ValueType | 'void'> = R extends ValueType
  ? readonly [...Statement[], Code<R>]
  : readonly Statement[]

export interface WasmFunction<P extends Params = Params, R extends ValueType | 'void' = 'void'> {
  readonly name: string
  /**
   * A call. Arguments go by name: most are addresses, and two of them in the wrong order would pass every check of types.
   * @throws TypeError if one is missing, unknown or of another type
   */
  call(args: { readonly [K in keyof P]: Code<P[K]> | Local<P[K]> }): Code<R>
}

export interface BytesOptions {
  /** Whether the memory is shared between threads. Default false. */
  shared?: boolean
  /** Whether every load and store asks the host first: for tests, see address-check.ts. Default false. */
  checksAddresses?: boolean
}

interface Definition {
  name: string
  params: ValueType[]
  result: ValueType | 'void'
  locals: ValueType[]
  body: readonly Code[]
  isExported: boolean
}

const TYPE_BYTE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b }

/** Functions over one imported memory ('env', 'memory'). */
export class ModuleBuilder {
  readonly #functions: Definition[] = []
  readonly #host: { name: string; params: ValueType[]; result: ValueType }[] = []

  /** A function that the host gives when the module is instantiated ('host', name). */
  take<const P extends Params, R extends ValueType>(
    name: string,
    { params, result }: { params: P; result: R },
  ): WasmFunction<P, R> {
    const callee = this.#host.length
    this.#host.push({ name, params: Object.values(params), result })
    return {
      name,
      call: (args) => ({
        type: result,
        parts: [...orderArguments(name, params, args), 0x10, { callee, isHost: true }],
      }),
    }
  }

  /**
   * Adds a function.
   * @param name  what profiles and JavaScript call it; no two have the same
   * @param body  takes locals from the scope and returns the statements, the result last
   * @throws TypeError if the body does not leave what the signature says
   */
  define<const P extends Params, R extends ValueType | 'void' = 'void'>(
    name: string,
    { params, result, isExported = false }: Signature<P, R>,
    body: (params: { [K in keyof P]: Local<P[K]> }, scope: Scope) => Body<R>,
  ): WasmFunction<P, R> {
    const functions = this.#functions
    if (functions.some((other) => other.name === name))
      throw refusal(name, 'is defined twice; give it a name of its own')
    const types = Object.entries(params)
    const scope = new Scope(types.length)
    const own = Object.fromEntries(types.map(([param, type], i) => [param, variable(type, i)]))
    const code: readonly Code[] = body(own as { [K in keyof P]: Local<P[K]> }, scope)
    const leaves = result ?? 'void'
    for (const [i, { type }] of code.entries()) {
      const expected = i === code.length - 1 ? leaves : 'void'
      if (type !== expected) throw refusal(name, `leaves ${type} at statement ${i}; it must leave ${expected} there`)
    }
    if (code.length === 0 && result) throw refusal(name, `leaves nothing; it must leave ${result}`)
    const callee = functions.length
    functions.push({
      name,
      params: types.map(([, type]) => type),
      result: leaves,
      locals: scope.locals,
      body: code,
      isExported,
    })
    return {
      name,
      call: (args) => ({ type: leaves as R, parts: [...orderArguments(name, params, args), 0x10, { callee }] }),
    }
  }

  /** The module's binary. */
  bytes({ shared = false, checksAddresses = false }: BytesOptions = {}): Uint8Array<ArrayBuffer> {
    const functions = this.#functions
    // A shared memory must name its largest size; 65536 pages is all that 32 bits can address.
    const limits = shared ? [0x03, ...unsigned(1), ...unsigned(65536)] : [0x00, ...unsigned(1)]
    const types = functions.map(({ params, result }) => typeOf(params, result === 'void' ? [] : [result]))
    const imports = [[...text('env'), ...text('memory'), 0x02, ...limits]]
    for (const { name, params, result } of this.#host) {
      imports.push([...text('host'), ...text(name), 0, ...unsigned(types.length)])
      types.push(typeOf(params, [result]))
    }
    if (checksAddresses) {
      // One import per function, under its name, so that whoever is asked knows who asks.
      for (const { name } of functions) imports.push([...text('check'), ...text(name), 0, ...unsigned(types.length)])
      types.push(typeOf(['i32', 'i32', 'i32', 'i32'], ['i32']))
    }
    const first = imports.length - 1
    const exported = functions.flatMap(({ name, isExported }, i) =>
      isExported ? [[...text(name), 0x00, ...unsigned(first + i)]] : [],
    )
    const names = functions.map(({ name }, i) => [...unsigned(first + i), ...text(name)])
    const bodies = functions.map((definition, i) =>
      encodeBody(definition, first, checksAddresses ? this.#host.length + i : undefined),
    )
    const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
    return new Uint8Array(
      header.concat(
        section(1, list(types)),
        section(2, list(imports)),
        section(3, list([...functions.keys()].map(unsigned))),
        section(7, list(exported)),
        section(10, list(bodies)),
        section(0, [...text('name'), ...section(1, list(names))]),
      ),
    )
  }
}

function typeOf(params: ValueType[], results: ValueType[]): number[] {
  const bytes = (types: ValueType[]): number[] => list(types.map((type) => [TYPE_BYTE[type]]))
  return [0x60, ...bytes(params), ...bytes(results)]
}

/** @throws TypeError if an argument is missing, unknown or of another type */
function orderArguments(name: string, params: Params, args: Readonly<Record<string, Code | Local<ValueType>>>): Code[] {
  const stranger = Object.keys(args).find((arg) => !(arg in params))
  if (stranger) throw refusal(name, `is called with '${stranger}'; it takes ${Object.keys(params).join(', ')}`)
  return Object.entries(params).map(([param, type]) => {
    const given = args[param]
    if (!given) throw refusal(name, `is called without '${param}'; give it one of type ${type}`)
    const code = 'get' in given ? given.get : given
    if (code.type !== type) throw refusal(name, `is called with ${code.type} for '${param}'; it takes ${type}`)
    return code
  })
}

/**
 * @param first  number of the module's first function, behind those it imports
 * @param check  number of the import to ask before each load and store, if any
 */
function encodeBody({ locals, body }: Definition, first: number, check: number | undefined): number[] {
  const out = list(locals.map((type) => [1, TYPE_BYTE[type]]))
  const write = (part: Part): void => {
    if (typeof part === 'number') out.push(part)
    else if ('parts' in part) for (const inner of part.parts) write(inner)
    else if ('callee' in part) out.push(...unsigned(part.isHost ? part.callee : first + part.callee))
    else if (check !== undefined) {
      for (const value of [part.offset, part.bytes, part.isWrite ? 1 : 0]) out.push(0x41, ...signed(value))
      out.push(0x10, ...unsigned(check))
    }
  }
  for (const piece of body) write(piece)
  out.push(0x0b)
  return unsigned(out.length).concat(out)
}

function refusal(name: string, what: string): TypeError {
  return new TypeError(`wasm function '${name}': ${what}.`)
}
