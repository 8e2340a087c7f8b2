/** What surfaces are made of to the eye: skin, cloth, and a smooth soft body. */
import * as THREE from 'three'

const SKIN = 0xc4957a
const CLOTH = 0x2b5f8a
const CLOTH_SHEEN = 0x9cc7e8

/** Warm where the light grazes it, as light that has been under the skin is. */
export function skinMaterial(): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ color: SKIN, roughness: 0.56 })
  glowAtEdges(material, [0.34, 0.11, 0.07], 2.4)
  return material
}

/** Matt, seen from both sides, its fibres catching light where it turns away. */
export function clothMaterial(): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ color: CLOTH, roughness: 0.92, side: THREE.DoubleSide })
  const sheen = new THREE.Color(CLOTH_SHEEN)
  glowAtEdges(material, [0.35 * sheen.r, 0.35 * sheen.g, 0.35 * sheen.b], 3)
  return material
}

/**
 * Adds colour towards the silhouette, weighed by the light that falls there. three's sheen and subsurface materials do
 * it more truly at several times the cost of a pixel.
 */
function glowAtEdges(material: THREE.MeshStandardMaterial, colour: readonly number[], power: number): void {
  const [r, g, b] = colour.map((value) => value.toFixed(3))
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float edge = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), ${power.toFixed(1)});
       outgoingLight += vec3(${r}, ${g}, ${b}) * edge * (0.25 + dot(reflectedLight.directDiffuse, vec3(1.2)));
       #include <opaque_fragment>`,
    )
  }
  // Materials with other glows must not share one program.
  material.customProgramCacheKey = () => `edge-${r}-${g}-${b}-${power}`
}
