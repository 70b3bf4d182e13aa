import { useLingui } from '@lingui/react/macro'
import CameraRotateIcon from 'virtual:icons/camera-rotate'
import FlashlightIcon from 'virtual:icons/flashlight'
import ImageIcon from 'virtual:icons/image'
import { useState } from 'react'
import { Button } from '../ui/page/Button.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { useDelayed } from '../ui/page/useDelayed.ts'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { useCamera } from './useCamera.ts'
import { useCodeReader } from './useCodeReader.ts'
import '../ui/style/camera.css'

export type CameraSheetProps = {
  open: boolean
  onClose: () => void
  /** @returns whether the code could be used; if not, the camera keeps reading */
  onRead: (text: string) => boolean
  /** The clerk prefers to type the code. */
  onManual: () => void
  /** The device has no camera, or its use is not allowed. */
  onUnsupported: () => void
}

/** Reads a code with the device's camera. Reading starts when the sheet opens. */
export function CameraSheet({ open, onClose, onManual, ...looking }: CameraSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t({ id: 'scan.title', message: 'Scan member code' })}
      aside={t({ id: 'common.close', message: 'Close' })}
      actions={
        <Button kind="outlined" onClick={onManual}>
          {t({ id: 'scan.manual', message: 'Type it instead' })}
        </Button>
      }
    >
      <Camera {...looking} />
    </Sheet>
  )
}

const tipAfterMs = 8000

/** `read`: the short moment before the sheet closes. The other values explain why it stays open. */
type Seen = 'nothing' | 'read' | 'notMember' | 'noCode'

function Camera({ onRead, onUnsupported }: Pick<CameraSheetProps, 'onRead' | 'onUnsupported'>) {
  const { t } = useLingui()
  const atCounter = useMedia(screens.expanded)
  const { video, ...camera } = useCamera(atCounter ? 'user' : 'environment', onUnsupported)
  const [seen, setSeen] = useState<Seen>('nothing')
  const onText = (text: string) => {
    if (seen !== 'read') setSeen(onRead(text) ? 'read' : 'notMember')
  }
  const readPicture = useCodeReader(video, camera.isOn, { onText, onFailed: onUnsupported })
  const readPhoto = async (file: File) => {
    const text = await createImageBitmap(file)
      .then(readPicture)
      .catch(() => null)
    if (text === null) setSeen('noCode')
    else onText(text)
  }
  const showTip = useDelayed(camera.isOn && seen === 'nothing', tipAfterMs)
  const words = {
    read: '',
    nothing: showTip
      ? t({ id: 'scan.tip', message: "Move closer, or brighten the customer's screen." })
      : '',
    notMember: t({ id: 'scan.notMember', message: "This code isn't a member code." }),
    noCode: t({ id: 'scan.noCode', message: 'No code could be read in this photo.' }),
  }
  return (
    <>
      <div className="camera" data-read={seen === 'read' || undefined}>
        {/* oxlint-disable-next-line media-has-caption -- what the camera sees says nothing */}
        <video
          ref={video}
          autoPlay
          muted
          playsInline
          data-mirrored={camera.isMirrored || undefined}
          aria-label={t({ id: 'scan.picture', message: 'Camera picture' })}
        />
        <div className="camera-guide" aria-hidden="true" />
        {camera.isOn ? null : (
          <p>
            {t({
              id: 'scan.why',
              message: 'The camera only reads the code. No picture is stored.',
            })}
          </p>
        )}
      </div>
      <output className="block min-h-6 text-center text-body text-ink2">{words[seen]}</output>
      <div className="flex flex-wrap justify-center gap-2">
        {camera.torch === null ? null : (
          <Button
            kind="text"
            aria-pressed={camera.torch}
            icon={<FlashlightIcon size={24} aria-hidden="true" />}
            onClick={() => void camera.toggleTorch().catch(() => undefined)}
          >
            {t({ id: 'scan.torch', message: 'Torch' })}
          </Button>
        )}
        <Button
          kind="text"
          icon={<CameraRotateIcon size={24} aria-hidden="true" />}
          onClick={camera.flip}
        >
          {t({ id: 'scan.flip', message: 'Flip camera' })}
        </Button>
        <PhotoButton onPhoto={(file) => void readPhoto(file)} />
      </div>
    </>
  )
}

/**
 * For devices without a live camera picture, and for codes that the customer received as a picture.
 */
function PhotoButton({ onPhoto }: { onPhoto: (file: File) => void }) {
  const { t } = useLingui()
  return (
    <label className={`${buttonClass('text')} field-frame`}>
      <ImageIcon size={24} aria-hidden="true" />
      {t({ id: 'scan.photo', message: 'Use a photo' })}
      <input
        type="file"
        accept="image/*"
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onPhoto(file)
          // Without this, choosing the same photo again would not fire a change event.
          target.value = ''
        }}
      />
    </label>
  )
}
