/** The code that does what the page shows, as a developer would write it. */
export const CLOTH_CODE = `
// Once: npx pliant train hero.glb --out hero.safetensors
import { loadCollider, SkinnedCollider } from 'pliant/three'

const collider = await loadCollider('hero.safetensors')
const body = new SkinnedCollider(collider, skinnedMesh)

function frame(seconds) {
  mixer.update(seconds) // your animation
  body.update(seconds) // reads the live skeleton
  // World space; negative inside, normals point out:
  body.query(points, count, distances, normals)
}
`
