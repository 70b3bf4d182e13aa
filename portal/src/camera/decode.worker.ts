import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import address from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { formats } from './formats.ts'

// Reads codes beside the page, so that a slow frame never holds up a tap. It is served under a
// policy of its own: only here may WebAssembly be compiled.

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
