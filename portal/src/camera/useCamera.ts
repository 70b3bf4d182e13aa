import { useEffect, useRef, useState } from 'react'

/** `user`: the camera on the screen's side, which faces the customer at a counter. */
export type Facing = 'user' | 'environment'

/**
 * Shows the camera in the returned `video` while the component is mounted.
 * @param onFailed called if there is no camera, or if its use is not allowed
 */
export function useCamera(first: Facing, onFailed: () => void) {
  const video = useRef<HTMLVideoElement>(null)
  const [facing, setFacing] = useState(first)
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [torch, setTorch] = useState(false)
  const fail = useRef(onFailed)
  useEffect(() => {
    fail.current = onFailed
  })
  useEffect(() => {
    let gone = false
    let opened: MediaStream | null = null
    const end = () => {
      gone = true
      setStream(null)
      setTorch(false)
      for (const track of opened?.getTracks() ?? []) track.stop()
    }
    const begin = async () => {
      opened = await openStream(facing)
      if (gone) end()
      else if (video.current !== null) {
        video.current.srcObject = opened
        setStream(opened)
      }
    }
    begin().catch(() => gone || fail.current())
    return end
  }, [facing])

  const track = stream?.getVideoTracks()[0]
  const hasTorch = track?.getCapabilities?.().torch === true
  return {
    video,
    isOn: stream !== null,
    /** The picture of a front camera is mirrored, so that a code moves the way the hand moves. */
    isMirrored: facing === 'user',
    flip: () => setFacing(facing === 'user' ? 'environment' : 'user'),
    torch: hasTorch ? torch : null,
    async toggleTorch() {
      await track?.applyConstraints({ advanced: [{ torch: !torch }] })
      setTorch(!torch)
    },
  }
}

/** @throws if there is no camera, or if its use is not allowed */
async function openStream(facing: Facing): Promise<MediaStream> {
  // Browsers hide this API on pages that were not loaded over HTTPS.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new Error('no camera')
  const video = { facingMode: { ideal: facing }, width: { ideal: 1280 }, height: { ideal: 720 } }
  return devices.getUserMedia({ video, audio: false })
}
