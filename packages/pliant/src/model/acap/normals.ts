/** Normals of vertices: sums of those of their triangles by area, made unit vectors; zero where they have none or cancel. */
export function writeNormals(p: Float64Array, triangles: Uint32Array, out: Float64Array): void {
  out.fill(0)
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]
    const b = 3 * triangles[t + 1]
    const c = 3 * triangles[t + 2]
    const ux = p[b] - p[a]
    const uy = p[b + 1] - p[a + 1]
    const uz = p[b + 2] - p[a + 2]
    const vx = p[c] - p[a]
    const vy = p[c + 1] - p[a + 1]
    const vz = p[c + 2] - p[a + 2]
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    out[a] += nx
    out[a + 1] += ny
    out[a + 2] += nz
    out[b] += nx
    out[b + 1] += ny
    out[b + 2] += nz
    out[c] += nx
    out[c + 1] += ny
    out[c + 2] += nz
  }
  for (let at = 0; at < out.length; at += 3) {
    const length = Math.sqrt(out[at] * out[at] + out[at + 1] * out[at + 1] + out[at + 2] * out[at + 2])
    if (length === 0) continue
    out[at] /= length
    out[at + 1] /= length
    out[at + 2] /= length
  }
}
