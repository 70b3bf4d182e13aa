import { Trans } from '@lingui/react/macro'
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'

/**
 * Catches rendering errors of the whole page, and shows a message and a button instead of a blank
 * page.
 */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <PageFrame width="form">
        <Notice
          tone="danger"
          action={
            <Button kind="outlined" size="small" onClick={() => location.reload()}>
              <Trans id="common.retry">Try again</Trans>
            </Button>
          }
        >
          <Trans id="common.loadFailed">This could not be loaded.</Trans>
        </Notice>
      </PageFrame>
    )
  }
}
