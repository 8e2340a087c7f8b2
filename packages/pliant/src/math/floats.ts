/** Arrays of floats that functions take and fill, xyz triples mostly, in single or double precision. */
export type Floats = Float32Array | Float64Array
