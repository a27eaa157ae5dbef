/** Hands bytes of the API to the browser as a file; a plain link could not carry the session (trap 15). */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string, type: string) {
  const address = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
