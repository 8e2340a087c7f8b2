/** The lines along which triangles meet, some pixels wide and seen through the body: most of them lie inside it. */
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js'
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js'
import type { PoseLook } from './pose-protocol.js'

export class ContactLines {
  readonly object: LineSegments2
  #id: number | undefined

  /** @param width [CSS pixels] */
  constructor(colour: number, width: number, opacity: number) {
    const material = new LineMaterial({
      color: colour,
      linewidth: width,
      opacity,
      transparent: true,
      depthTest: false,
      fog: false,
    })
    this.object = new LineSegments2(new LineSegmentsGeometry(), material)
    this.object.frustumCulled = false
    this.object.renderOrder = 2
    this.object.visible = false
  }

  /** @param look  of which lines are drawn; undefined for none */
  show(look: Pick<PoseLook, 'id' | 'segments'> | undefined): void {
    this.object.visible = look !== undefined && look.segments.length > 0
    if (!look || look.id === this.#id || look.segments.length === 0) return
    this.#id = look.id
    // Its buffers cannot grow.
    this.object.geometry.dispose()
    this.object.geometry = new LineSegmentsGeometry()
    this.object.geometry.setPositions(look.segments)
  }

  /** Looks of another body may have the same numbers. */
  clear(): void {
    this.#id = undefined
    this.object.visible = false
  }

  dispose(): void {
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}
