/** An ONNX file opened by onnxruntime-node, an optional peer. */
import type { InferenceSession } from 'onnxruntime-node'

/** Rows per call: onnxruntime allocates new results each time, and past this size loses speed. */
export const CHUNK = 2048

/** How onnxruntime runs a network. */
export interface OrtOptions {
  /** Threads within an operator; default 1. */
  threads?: number
}

interface OpenSession {
  ort: typeof import('onnxruntime-node')
  session: InferenceSession
}

/** @throws Error if onnxruntime-node is not installed or does not take the file */
export async function openSession(onnx: Uint8Array, { threads = 1 }: OrtOptions): Promise<OpenSession> {
  const ort = await loadOnnxruntime()
  const session = await ort.InferenceSession.create(onnx, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  })
  return { ort, session }
}

async function loadOnnxruntime(): Promise<typeof import('onnxruntime-node')> {
  try {
    return await import('onnxruntime-node')
  } catch (cause) {
    throw new Error("ort: 'onnxruntime-node' cannot be loaded; install it beside pliant.", { cause })
  }
}

/** Names as messages show them. */
export function list(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
