import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'qrcode'
import { chromiumArguments, findChromium } from './chromium.ts'

// A customer's telephone in front of the camera: a film of a QR code, which Chromium plays in the
// place of a camera.

const [width, height] = [640, 480]

/** One frame in Chromium's own words: black on white, held a little too near the edge. */
function frameOf(text: string): Buffer {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const scale = Math.floor((height * 0.7) / modules.size)
  const [left, top] = [width, height].map((room) => Math.floor((room - modules.size * scale) / 2))
  const light = Buffer.alloc(width * height, 235)
  for (let y = 0; y < modules.size * scale; y++) {
    for (let x = 0; x < modules.size * scale; x++) {
      const dark = modules.get(Math.floor(y / scale), Math.floor(x / scale))
      if (dark) light[((top ?? 0) + y) * width + (left ?? 0) + x] = 16
    }
  }
  // No colour: the two other planes, a quarter of the size each, have the middle value.
  return Buffer.concat([light, Buffer.alloc((width * height) / 2, 128)])
}

const folder = mkdtempSync(join(tmpdir(), 'tillside-film-'))

/** The film, as YUV4MPEG2. @returns its file */
function film(name: string, text: string): string {
  const head = `YUV4MPEG2 W${width} H${height} F20:1 Ip A1:1 C420jpeg\n`
  const frame = Buffer.concat([Buffer.from('FRAME\n'), frameOf(text)])
  const file = join(folder, `${name}.y4m`)
  writeFileSync(file, Buffer.concat([Buffer.from(head), frame, frame]))
  return file
}

const chromium = findChromium()

/** A browser with these switches. */
export function browserWithSwitches(...switches: string[]) {
  return {
    args: [...chromiumArguments, ...switches],
    ...(chromium === null ? {} : { executablePath: chromium }),
  }
}

/** A browser whose camera sees the text as a QR code, and whose clerk allows it to. */
export function browserWithCamera(name: string, text: string) {
  return browserWithSwitches(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film(name, text)}`,
  )
}
