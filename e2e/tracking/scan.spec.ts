import { encode } from 'uqr'
import { expect, test } from '#e2e/portal.ts'

test("a browser without a detector of codes reads a tracker's number from the camera", async ({ page, open }) => {
  const code = encode('https://tracker.example/start?id=9000000001', { border: 4 })
  await page.addInitScript(({ data }) => {
    Reflect.deleteProperty(window, 'BarcodeDetector')
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 480
    const context = canvas.getContext('2d')!
    const draw = () => {
      context.fillStyle = '#fff'
      context.fillRect(0, 0, 640, 480)
      context.fillStyle = '#000'
      for (const [y, row] of data.entries())
        for (const [x, dark] of row.entries()) if (dark) context.fillRect(120 + x * 8, 40 + y * 8, 8, 8)
      requestAnimationFrame(draw)
    }
    draw()
    const getUserMedia = async () => canvas.captureStream(10)
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } })
  }, code)
  await open('/?start=report&kind=dog', 'dario')
  await page.getByRole('button', { name: 'Scan it with the camera' }).click()
  await expect(page.getByRole('textbox', { name: 'ID or S/N' })).toHaveValue('90000000-01')
})
