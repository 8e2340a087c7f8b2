/** Where hair grows: points on the skin of the head, found by the field, that go with the head's bone. */
import { Matrix3, Vector3 } from 'three'

/** Middle of the skull in the bone's frame, and a radius that lies outside of it all around [m]. */
const MIDDLE = new Vector3(0, 0.11, 0)
const OUTSIDE = 0.13

export class Scalp {
  // #region scalp
  /**
   * @param head  the bone of the head
   * @param body  a SkinnedCollider, updated
   */
  constructor(head, body, count) {
    this.head = head
    this.roots = new Float32Array(3 * count)
    this.normals = new Float32Array(3 * count)
    const distances = new Float32Array(count)
    head.updateWorldMatrix(true, false)
    const turn = new Matrix3().setFromMatrix4(head.matrixWorld)
    for (let i = 0; i < count; i++) {
      const direction = scalpDirection((i + 0.5) / count, i).applyMatrix3(turn)
      const middle = MIDDLE.clone().applyMatrix4(head.matrixWorld)
      middle.addScaledVector(direction, OUTSIDE).toArray(this.roots, 3 * i)
    }
    // Onto the skin: back along the normal, as far as the field says.
    for (let round = 0; round < 4; round++) {
      body.query(this.roots, count, distances, this.normals)
      for (let at = 0; at < 3 * count; at++) this.roots[at] -= distances[Math.trunc(at / 3)] * this.normals[at]
    }
    this.local = Array.from({ length: count }, (_, i) => head.worldToLocal(new Vector3().fromArray(this.roots, 3 * i)))
  }

  /** Roots go with the bone. */
  update() {
    this.head.updateWorldMatrix(true, false)
    const point = new Vector3()
    this.local.forEach((root, i) => {
      point
        .copy(root)
        .applyMatrix4(this.head.matrixWorld)
        .toArray(this.roots, 3 * i)
    })
  }
  // #endregion
}

/** Evenly over the top and the back of the head, which looks along +z. @param share 0 at the crown, 1 lowest */
function scalpDirection(share, i) {
  const y = 1 - 1.15 * share
  // Golden angle; lower down only behind the ears.
  const turn = (i * 2.399963) % (2 * Math.PI)
  const reach = y > 0.55 ? Math.PI : Math.PI * (0.42 + 0.4 * Math.max(0, y))
  const angle = Math.PI + (turn / Math.PI - 1) * reach
  const radius = Math.sqrt(1 - y * y)
  return new Vector3(radius * Math.sin(angle), y, radius * Math.cos(angle))
}
