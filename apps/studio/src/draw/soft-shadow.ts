/** A dark spot under a body, so that it stands on the ground: true shadows would draw everything twice. */
import * as THREE from 'three'

export function softShadow(): THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const context = canvas.getContext('2d')!
  const spot = context.createRadialGradient(64, 64, 4, 64, 64, 64)
  spot.addColorStop(0, 'rgb(0 0 0 / 0.6)')
  spot.addColorStop(1, 'rgb(0 0 0 / 0)')
  context.fillStyle = spot
  context.fillRect(0, 0, 128, 128)
  const material = new THREE.MeshBasicMaterial({
    map: new THREE.CanvasTexture(canvas),
    transparent: true,
    depthWrite: false,
  })
  return new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material)
}
