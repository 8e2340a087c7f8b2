/** The floor in every scene: a disc that takes shadows, with a grid drawn into it, fading into the background. */
import * as THREE from 'three'

const GROUND = 0x28313d
const LINES = new THREE.Color(0x4a5868)
/** Radius in squares of the grid: the fog ends before it does. */
const RADIUS = 200

export class StudioGround {
  readonly object: THREE.Mesh<THREE.CircleGeometry, THREE.MeshLambertMaterial>
  /** Side of a square [m], for the shader. */
  readonly #square = { value: 1 }

  constructor() {
    const material = new THREE.MeshLambertMaterial({ color: GROUND })
    this.object = new THREE.Mesh(new THREE.CircleGeometry(RADIUS, 64), material)
    this.object.rotation.x = -Math.PI / 2
    this.object.receiveShadow = true
    drawGrid(material, this.#square)
  }

  /** @param square side of a square of the grid [m] */
  setSquare(square: number): void {
    this.#square.value = square
    this.object.scale.setScalar(square)
  }

  dispose(): void {
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}

/** Lines by the place in the world: they stand still wherever the disc goes, and never flicker, as lines on it would. */
function drawGrid(material: THREE.Material, square: { value: number }): void {
  const colour = LINES.toArray().map((value) => value.toFixed(4))
  material.onBeforeCompile = (shader) => {
    shader.uniforms['square'] = square
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGround;')
      .replace(
        '#include <begin_vertex>',
        '#include <begin_vertex>\nvGround = (modelMatrix * vec4(transformed, 1.0)).xz;',
      )
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGround;\nuniform float square;')
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
         vec2 cell = vGround / square;
         vec2 pixel = fwidth(cell);
         vec2 pixelsAway = abs(fract(cell - 0.5) - 0.5) / pixel;
         // Where squares are smaller than a few pixels, lines would only be noise.
         float lines = (1.0 - min(min(pixelsAway.x, pixelsAway.y), 1.0)) * clamp(1.0 - 3.0 * max(pixel.x, pixel.y), 0.0, 1.0);
         diffuseColor.rgb = mix(diffuseColor.rgb, vec3(${colour.join(', ')}), 0.8 * lines);`,
      )
  }
}
