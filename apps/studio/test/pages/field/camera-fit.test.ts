import type { Box } from 'pliant'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { distanceToSee } from '../../../src/pages/field/camera-fit.js'

const box: Box = { lower: [-0.6, -0.2, 0.1], upper: [0.7, 0.3, 0.9] }

describe('the camera', () => {
  for (const aspect of [0.5, 1.4, 3]) {
    it(`sees the whole box and no more than it must at aspect ${aspect}`, () => {
      const from = new THREE.Vector3(0.4, 0.7, 0.9).normalize()
      const centre = new THREE.Vector3(...box.lower).add(new THREE.Vector3(...box.upper)).multiplyScalar(0.5)
      const camera = new THREE.PerspectiveCamera(32, aspect, 0.01, 100)
      camera.position.copy(centre).addScaledVector(from, distanceToSee(box, from.toArray(), 32, aspect))
      camera.lookAt(centre)
      camera.updateMatrixWorld()
      let furthest = 0
      for (let corner = 0; corner < 8; corner++) {
        const point = new THREE.Vector3(...[0, 1, 2].map((a) => (corner & (1 << a) ? box.upper : box.lower)[a]))
        const { x, y } = point.project(camera)
        furthest = Math.max(furthest, Math.abs(x), Math.abs(y))
      }
      expect(furthest).toBeCloseTo(0.94, 6)
    })
  }
})
