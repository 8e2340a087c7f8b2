/** A button into WebXR, there only where a headset can be used: its controller then holds the tool. */
import type * as THREE from 'three'
import { element } from '../../shell/element.js'

export interface XrButtonOptions {
  renderer: THREE.WebGLRenderer
  /** @param presenting whether a session has begun, or is over */
  onSession(presenting: boolean): void
  onProblem(message: string): void
}

export class XrButton {
  readonly root = element(
    'button',
    { type: 'button', hidden: true, 'data-testid': 'xr', title: 'The table before you, the tool in your hand' },
    'Enter VR',
  )
  #session: XRSession | undefined

  constructor(private readonly options: XrButtonOptions) {
    // Undefined outside of secure pages and in browsers without WebXR, whatever the types say.
    const system = navigator.xr as XRSystem | undefined
    system
      ?.isSessionSupported('immersive-vr')
      .then((supported) => {
        this.root.hidden = !supported
      })
      // A page may be forbidden to ask; then there is no button.
      .catch(() => {})
    this.root.addEventListener('click', () => {
      this.#toggle(system!).catch((error: unknown) => {
        options.onProblem(`haptics: WebXR did not start (${error instanceof Error ? error.message : String(error)}).`)
      })
    })
  }

  dispose(): void {
    void this.#session?.end()
  }

  async #toggle(system: XRSystem): Promise<void> {
    if (this.#session) return this.#session.end()
    const { renderer, onSession } = this.options
    const session = await system.requestSession('immersive-vr', { optionalFeatures: ['local-floor'] })
    this.#session = session
    session.addEventListener('end', () => {
      this.#session = undefined
      renderer.xr.enabled = false
      this.root.textContent = 'Enter VR'
      onSession(false)
    })
    renderer.xr.enabled = true
    await renderer.xr.setSession(session)
    this.root.textContent = 'Leave VR'
    onSession(true)
  }
}
