/** The prominence of a button; each view has one `filled` button. */
export type ButtonKind = 'filled' | 'tonal' | 'outlined' | 'text'

/** `large` is for sheets and forms, `small` for use next to text and in stubs. */
export type ButtonSize = 'normal' | 'large' | 'small'

const shape =
  'relative inline-flex items-center justify-center gap-2 rounded-button text-center ' +
  'font-semibold leading-snug no-underline select-none transition-colors duration-[120ms] ' +
  'forced-colors:border forced-colors:border-[ButtonText]'

const sizes: Record<ButtonSize, string> = {
  large: 'min-h-14 py-3 text-body',
  normal: 'min-h-13 py-2.5 text-body',
  small: 'min-h-11 py-2 text-small',
}

const sides: Record<ButtonSize, string> = { large: 'px-6', normal: 'px-5', small: 'px-4' }

const kinds: Record<ButtonKind, string> = {
  filled:
    'border border-brand-edge bg-brand text-on-brand hover:bg-brand-hover active:bg-brand-press ' +
    // With forced colours the main button stays filled. Without `forced-color-adjust: none` the
    // browser would draw a backplate behind the letters.
    'forced-colors:forced-color-adjust-none forced-colors:outline-[color:CanvasText] ' +
    'forced-colors:bg-[ButtonText]! forced-colors:text-[ButtonFace]!',
  tonal:
    'bg-brand-tint text-brand-text hover:bg-[color-mix(in_srgb,var(--brand-tint),var(--ink)_5%)] ' +
    'active:bg-[color-mix(in_srgb,var(--brand-tint),var(--ink)_10%)]',
  outlined:
    'border border-control bg-transparent text-ink ' +
    'hover:bg-[color-mix(in_srgb,transparent,var(--ink)_4%)] ' +
    'active:bg-[color-mix(in_srgb,transparent,var(--ink)_9%)]',
  text:
    'button-text bg-transparent text-[var(--text-action,var(--brand-text))] ' +
    'hover:bg-[color-mix(in_srgb,transparent,var(--ink)_4%)] ' +
    'active:bg-[color-mix(in_srgb,transparent,var(--ink)_9%)]',
}

const off = 'cursor-not-allowed text-ink3'

const offOf = (kind: ButtonKind) => (kind === 'text' ? off : `${off} border border-line bg-sunken`)

/** The classes of a button, for a link that looks like one. */
export function buttonClass(kind: ButtonKind, size: ButtonSize = 'normal', disabled = false) {
  const side = kind === 'text' ? 'px-3' : sides[size]
  return `${shape} ${sizes[size]} ${side} ${disabled ? offOf(kind) : kinds[kind]}`
}
