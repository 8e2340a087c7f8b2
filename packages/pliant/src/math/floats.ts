/** The flat arrays that every room takes: xyz triples, single or double precision. */
export type Floats = Float32Array | Float64Array
