import { type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react'

/** A file of the program could not be loaded. Loading the page again may help. */
export class LostFile extends Error {}

/**
 * A component in a file of its own. It shows the placeholder until the file has arrived. Not
 * `lazy`: with Preact, a component that suspends in place of another one can leave both in the
 * document (decision 140).
 * @throws LostFile while it renders, if the file is lost; when it is shown again, it loads again
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  placeholder: ReactNode | ((props: P) => ReactNode) = null,
): ((props: P) => ReactNode) & { preload: () => Promise<void> } {
  let Loaded: ComponentType<P> | null = null
  let loading: Promise<void> | null = null

  function start(): Promise<void> {
    loading ??= load().then(
      (component) => void (Loaded = component),
      (cause: unknown) => {
        loading = null
        throw new LostFile('a file of the program is lost', { cause })
      },
    )
    return loading
  }

  function Later(props: P): ReactNode {
    const [state, setState] = useState<LostFile | 'loading' | 'loaded'>('loading')
    // Before the browser paints: the file is often there already.
    useLayoutEffect(() => {
      if (Loaded !== null) return
      start().then(() => setState('loaded'), setState)
    }, [])
    if (state instanceof LostFile) throw state
    if (Loaded !== null) return <Loaded {...props} />
    return typeof placeholder === 'function' ? placeholder(props) : placeholder
  }
  // Also for the router, which then shows the page. If it fails, the page fails when it is shown.
  const preload = () => start().catch(() => undefined)
  return Object.assign(Later, { preload })
}
