/** A code as a .npy file of the visitor's, for `pliant repair --code` and whoever else reads such. */

export async function saveCode(name: string, code: Float64Array): Promise<void> {
  const { writeNpy } = await import('pliant/files')
  const bytes = writeNpy(code, [1, code.length])
  const address = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}-pose.npy`
  link.click()
  URL.revokeObjectURL(address)
}
