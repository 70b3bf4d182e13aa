import { type RefObject, useEffect, useRef } from 'react'
import { type Detector, openDetector } from './detector.ts'

/** The name of the performance measure for decoding one frame, for developer tools and tests. */
const measure = 'scan.decode'

/**
 * Reads codes from the camera's picture while the component is mounted.
 * @param onText called for each code that appears; for the same code again only after a different
 * one
 * @param onFailed called if the decoder could not be loaded
 * @returns a function that reads one picture from another source
 */
export function useCodeReader(
  video: RefObject<HTMLVideoElement | null>,
  isOn: boolean,
  { onText, onFailed }: { onText: (text: string) => void; onFailed: () => void },
): (picture: ImageBitmap) => Promise<string | null> {
  const onRead = useRef({ onText, onFailed })
  const detector = useRef<Promise<Detector> | null>(null)
  useEffect(() => {
    onRead.current = { onText, onFailed }
  })
  useEffect(() => {
    const opening = openDetector()
    detector.current = opening
    return () => {
      opening.then(
        (opened) => opened.close(),
        () => undefined,
      )
    }
  }, [])
  useEffect(() => {
    const [element, opening] = [video.current, detector.current]
    if (!isOn || element === null || opening === null) return undefined
    const stopping = new AbortController()
    opening
      .then((opened) =>
        watch(element, opened, stopping.signal, (text) => onRead.current.onText(text)),
      )
      .catch(() => stopping.signal.aborted || onRead.current.onFailed())
    return () => stopping.abort()
  }, [isOn, video])
  return async (picture) => (await detector.current)?.read(picture) ?? null
}

async function watch(
  video: HTMLVideoElement,
  detector: Detector,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<void> {
  let last: string | null = null
  for await (const start of frames(video, signal)) {
    const text = await detector.read(video)
    if (signal.aborted) return
    if (text !== null) performance.measure(measure, { start })
    if (text !== null && text !== last) tell(text)
    last = text
  }
}

/** Yields the time of each new frame. Frames that arrive while one is being read are skipped. */
async function* frames(video: HTMLVideoElement, signal: AbortSignal): AsyncGenerator<number> {
  while (!signal.aborted) {
    const at = await new Promise<number>((done) => {
      video.requestVideoFrameCallback(done)
    })
    if (!signal.aborted && video.videoWidth > 0) yield at
  }
}
