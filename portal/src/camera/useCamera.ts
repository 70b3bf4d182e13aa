import { useEffect, useRef, useState } from 'react'

/** `user`: the side of the screen, which at a counter is the customer's. */
export type Facing = 'user' | 'environment'

/**
 * Shows the camera in the `video` that it returns, while the component stands.
 * @param onFailed there is none, or it may not be used
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
    /** As the picture of a mirror, which is how one holds a code to one's own side. */
    isMirrored: facing === 'user',
    flip: () => setFacing(facing === 'user' ? 'environment' : 'user'),
    torch: hasTorch ? torch : null,
    async toggleTorch() {
      await track?.applyConstraints({ advanced: [{ torch: !torch }] })
      setTorch(!torch)
    },
  }
}

/** @throws where there is no camera, or it may not be used */
async function openStream(facing: Facing): Promise<MediaStream> {
  // Absent where the page did not come over a safe line.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new Error('no camera')
  const video = { facingMode: { ideal: facing }, width: { ideal: 1280 }, height: { ideal: 720 } }
  return devices.getUserMedia({ video, audio: false })
}
