import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import address from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { formats } from './formats.ts'

// Decodes pictures in a worker, so that a slow frame never delays a tap. It is served with its own
// content security policy, because only this worker may compile WebAssembly.

prepareZXingModule({ overrides: { locateFile: () => address } })
const detector = new BarcodeDetector({ formats: [...formats] })

addEventListener('message', (event: MessageEvent<unknown>) => {
  const { data: picture } = event
  if (!(picture instanceof ImageBitmap) && !(picture instanceof ImageData)) return
  detector
    .detect(picture)
    .then(
      ([found]) => postMessage({ text: found?.rawValue ?? null }),
      () => postMessage({ failed: true }),
    )
    .finally(() => picture instanceof ImageBitmap && picture.close())
})
