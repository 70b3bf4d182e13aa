import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { operationCode, operationIn } from './code.ts'
import { QrCode } from './QrCode.tsx'

const key = '7f3a91c2-5c1a-4e0a-9d55-0f6f0a6d3c11'
const scale = 4

/** Draws the squares of the code as a camera sees them. */
function drawn(markup: string): ImageData {
  const size = Number(/viewBox="0 0 (\d+) /.exec(markup)?.[1])
  const width = size * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x = '', y = ''] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let n = 0; n < scale * scale; n += 1) {
      const row = Number(y) * scale + Math.floor(n / scale)
      const at = (row * width + Number(x) * scale + (n % scale)) * 4
      data.fill(0, at, at + 3)
    }
  }
  return { data, width, height: width, colorSpace: 'srgb' }
}

test('the reader of the camera reads the code of a slip', async () => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  const { buffer } = new Uint8Array(await readFile(wasm))
  prepareZXingModule({ overrides: { wasmBinary: buffer } })
  const text = operationCode(key)
  const [read] = await readBarcodes(
    drawn(renderToStaticMarkup(createElement(QrCode, { text, label: '' }))),
  )
  expect(read?.text).toBe(text)
  expect(operationIn(read?.text ?? '')).toBe(key)
})
