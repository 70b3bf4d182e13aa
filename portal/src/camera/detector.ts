import * as z from 'zod/mini'
// oxlint-disable-next-line import/default -- made by the bundler; it is the address of the file
import workerAddress from './decode.worker.ts?worker&url'
import { formats } from './formats.ts'

/** Resolves with the code in the picture, or null if there is none. */
export type Detector = {
  read: (picture: HTMLVideoElement | ImageBitmap) => Promise<string | null>
  close: () => void
}

/**
 * Uses the browser's own detector if it supports our formats; otherwise loads the WebAssembly one.
 */
export async function openDetector(): Promise<Detector> {
  return (await ownDetector()) ?? wasmDetector()
}

async function ownDetector(): Promise<Detector | null> {
  const { BarcodeDetector } = globalThis
  if (BarcodeDetector === undefined) return null
  const supported: readonly string[] = await BarcodeDetector.getSupportedFormats().catch(() => [])
  if (!formats.every((format) => supported.includes(format))) return null
  const detector = new BarcodeDetector({ formats: [...formats] })
  return {
    read: async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null,
    close: () => undefined,
  }
}

const Answer = z.object({ text: z._default(z.nullable(z.string()), null) })

function wasmDetector(): Detector {
  const worker = new Worker(decoderAddress())
  let last: Promise<unknown> = Promise.resolve()
  const ask = (picture: ImageBitmap | ImageData) =>
    new Promise<string | null>((done, fail) => {
      // Removes both listeners when either fires, so that none is left waiting for later pictures.
      const over = new AbortController()
      const { signal } = over
      const answer = ({ data }: MessageEvent<unknown>) => {
        over.abort()
        done(z.parse(Answer, data).text)
      }
      const error = () => {
        over.abort()
        fail(new Error('the decoder did not start'))
      }
      worker.addEventListener('message', answer, { signal })
      worker.addEventListener('error', error, { signal })
      worker.postMessage(picture, [picture instanceof ImageData ? picture.data.buffer : picture])
    })
  return {
    // One picture at a time: an answer does not say which picture it is for.
    read(picture) {
      const asked = last.then(() => copyOf(picture)).then(ask)
      last = asked.catch(() => undefined)
      return asked
    },
    close: () => worker.terminate(),
  }
}

let canvas: CanvasRenderingContext2D | null = null

/**
 * Converts the picture into something that can be posted to a worker. `createImageBitmap` needs a
 * graphics card; without one, the picture is copied through a canvas, which is slower.
 */
async function copyOf(picture: HTMLVideoElement | ImageBitmap): Promise<ImageBitmap | ImageData> {
  if (picture instanceof ImageBitmap) return picture
  if (canvas === null) {
    try {
      return await createImageBitmap(picture)
    } catch {
      const element = document.createElement('canvas')
      canvas = element.getContext('2d', { willReadFrequently: true })
    }
  }
  if (canvas === null) throw new Error('no picture of the camera')
  const { videoWidth: width, videoHeight: height } = picture
  Object.assign(canvas.canvas, { width, height })
  canvas.drawImage(picture, 0, 0)
  return canvas.getImageData(0, 0, width, height)
}

let address: string | null = null

/**
 * The address of the decoder script, as a trusted type where the browser enforces them and as a
 * string elsewhere. A page may create each policy only once.
 */
function decoderAddress(): string {
  if (address !== null) return address
  const rules = { createScriptURL: () => workerAddress }
  const policy = globalThis.trustedTypes?.createPolicy('tillside-decoder', rules)
  address = policy?.createScriptURL('') ?? workerAddress
  return address
}
