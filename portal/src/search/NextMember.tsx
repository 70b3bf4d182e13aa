import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ScanButton } from '../camera/ScanButton.tsx'
import { ScanIcon } from '../camera/ScanIcon.tsx'
import { paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { IconButton } from '../ui/page/IconButton.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { HeaderSearch } from './HeaderSearch.tsx'
import { isReadable } from './text/parse.ts'

/**
 * The search for the next customer on every member page: the search box where there is room, else
 * the camera.
 */
export function NextMember(): ReactNode {
  const hasRoom = useMedia(screens.expanded)
  // It keeps its text when the screen is turned.
  const [wasShown, setWasShown] = useState(hasRoom)
  if (hasRoom && !wasShown) setWasShown(true)
  return (
    <>
      {wasShown ? <HeaderSearch /> : null}
      <NextScan />
    </>
  )
}

/** The camera, which opens the next member: where the header's field has no room. */
export function NextScan(): ReactNode {
  const { t } = useLingui()
  const navigate = useNavigate()
  if (!usePermissions().has('scanQrCode')) return null
  return (
    <ScanButton reads={isReadable} onManual={() => void navigate(paths.memberSearch())}>
      {(open) => (
        <IconButton
          {...open}
          label={t({ id: 'search.scan', message: 'Scan' })}
          icon={<ScanIcon />}
          className="expanded:hidden"
        />
      )}
    </ScanButton>
  )
}
