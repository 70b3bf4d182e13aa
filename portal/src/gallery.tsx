// Shows the components during development: /gallery.html?lang=zh-HK&brand=b0141c&scene=home
import HourglassIcon from 'virtual:icons/hourglass'
import PasswordIcon from 'virtual:icons/password'
import QrCodeIcon from 'virtual:icons/qr-code'
import SignOutIcon from 'virtual:icons/sign-out'
import TicketIcon from 'virtual:icons/ticket-fill'
import { useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { themeCss } from './company/theme.ts'
import { Block } from './ui/page/Block.tsx'
import { Button } from './ui/page/Button.tsx'
import { EmptyLine } from './ui/page/EmptyLine.tsx'
import { Figure } from './ui/paper/Figure.tsx'
import { IconButton } from './ui/page/IconButton.tsx'
import { Menu, MenuHeader, MenuItem, MenuRadioGroup, MenuSeparator } from './ui/layer/Menu.tsx'
import { Meter } from './ui/paper/Meter.tsx'
import { Notice } from './ui/page/Notice.tsx'
import { PageFrame } from './ui/page/PageFrame.tsx'
import { PasswordField } from './ui/field/PasswordField.tsx'
import { Pips } from './ui/paper/Pips.tsx'
import { Receipt } from './ui/paper/Receipt.tsx'
import { ReceiptRow } from './ui/paper/ReceiptRow.tsx'
import { Segmented } from './ui/field/Segmented.tsx'
import { Sheet } from './ui/layer/Sheet.tsx'
import { Skeleton } from './ui/page/Skeleton.tsx'
import { TextField } from './ui/field/TextField.tsx'
import { Ticket } from './ui/paper/Ticket.tsx'
import { TierSurface, type TierTone } from './ui/paper/TierSurface.tsx'
import { Toaster } from './ui/layer/Toaster.tsx'
import { showToast } from './ui/layer/toastStore.ts'
import { english, hongKong } from './gallery-texts.ts'
import './ui/style/tokens.css'
import './ui/style/counter.css'
const query = new URLSearchParams(location.search)
const lang = query.get('lang') ?? 'en-US'
document.documentElement.lang = lang
const sheet = new CSSStyleSheet()
sheet.replaceSync(themeCss(`#${query.get('brand') ?? '00704a'}`))
document.adoptedStyleSheets = [sheet]

const t = lang.startsWith('zh') ? hongKong : english

const column: CSSProperties = { display: 'flex', flexDirection: 'column', gap: 16 }

function TierCard({ tone, filled }: { tone: TierTone; filled: number }) {
  return (
    <TierSurface tone={tone}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="flex items-center gap-2 text-strong">
          {t.tier} <Pips filled={filled} total={4} label="" />
        </span>
        <span className="text-small text-tier-sub">{t.until}</span>
      </div>
      <div className="text-small text-tier-sub" style={{ marginTop: 16 }}>
        {t.gap}
      </div>
      <Figure size="l">5,760.00</Figure>
      <div style={{ marginTop: 12 }}>
        <Meter value={4240} max={10000} text="4,240.00 / 10,000.00" />
      </div>
      <div style={{ marginTop: 8 }} className="num flex justify-between text-caption text-tier-sub">
        <span>{t.spent}</span>
        <span>10,000.00</span>
      </div>
    </TierSurface>
  )
}

const redeem = (
  <Button kind="tonal" size="small">
    {t.redeem}
  </Button>
)
const code = '8842 0091 7735'
const starts = t.starts.map((line) => <div key={line}>{line}</div>)

function Home() {
  return (
    <PageFrame width="page">
      <div style={column}>
        <h1 className="text-title-l">{t.name}</h1>
        <TierCard tone="brass" filled={3} />
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <div>
            <p className="text-caption text-ink2">{t.points}</p>
            <Figure size="xl">12,480</Figure>
          </div>
          <Button kind="outlined">{t.redeem}</Button>
        </div>
        <p className="flex items-center gap-2 text-small text-ink2">
          <HourglassIcon size={20} aria-hidden="true" /> {t.expire}
        </p>
        <Block title={t.coupons} count={4} action={<Button kind="text">{t.all}</Button>}>
          <Ticket
            state="valid"
            title={t.coupon}
            lines={t.period}
            code={code}
            tag={{ tone: 'warning', text: t.ends }}
            stub={redeem}
          />
          <Ticket state="valid" title={t.long} lines={t.period} code={code} />
          <Ticket state="used" title={t.coupon} lines={t.period} code={code} stamp={t.stamp} />
          <Ticket state="future" title={t.coupon} lines={t.period} code={code} stub={starts} />
          <Ticket state="expired" title={t.coupon} lines={t.period} code={code} />
        </Block>
        <Block title={t.transaction}>
          <Receipt>
            <ReceiptRow label="18/11/2026" value={t.store} />
            <ReceiptRow label={t.shop} value="1,286.00" strong />
          </Receipt>
        </Block>
        <Block title={t.coupons} count={0}>
          <EmptyLine>{t.none}</EmptyLine>
        </Block>
      </div>
    </PageFrame>
  )
}

function States() {
  const action = (
    <Button kind="outlined" size="small">
      {t.retry}
    </Button>
  )
  const kinds = ['filled', 'tonal', 'outlined', 'text'] as const
  return (
    <PageFrame width="page">
      <div style={column}>
        <h1 className="sr-only">{t.name}</h1>
        {kinds.map((kind) => (
          <div key={kind} className="flex flex-wrap items-start gap-3">
            <Button kind={kind}>{t.act}</Button>
            <Button kind={kind} size="small">
              {t.act}
            </Button>
            <Button kind={kind} busy busyLabel={t.busy}>
              {t.act}
            </Button>
            <Button kind={kind} disabled reason={t.undo}>
              {t.act}
            </Button>
          </div>
        ))}
        {(['danger', 'warning', 'info', 'success'] as const).map((tone) => (
          <Notice key={tone} tone={tone} action={action} quiet>
            {t.refused}
          </Notice>
        ))}
        <Segmented
          label="x"
          options={[
            { value: 'a', label: t.coupons, count: 4 },
            { value: 'b', label: t.redeem, count: 11 },
            { value: 'c', label: t.all },
          ]}
          value="a"
          onChange={() => undefined}
        />
        <div style={{ ...column, display: 'grid', gridTemplateColumns: '1fr 1fr' }}>
          {(['stone', 'pine', 'brass', 'midnight'] as const).map((tone, index) => (
            <TierCard key={tone} tone={tone} filled={index + 1} />
          ))}
        </div>
        <Skeleton width="12rem" height="2rem" />
        <Skeleton height="7rem" radius="ticket" />
      </div>
    </PageFrame>
  )
}

function Fields() {
  const [method, setMethod] = useState(t.methods[0] ?? '')
  return (
    <PageFrame width="form">
      <div style={column}>
        <h1 className="text-title-l">{t.login}</h1>
        <TextField label={t.account} defaultValue="kayan.w" hint={t.undo} />
        <PasswordField
          label={t.password}
          showLabel="Show"
          hideLabel="Hide"
          error={t.refused}
          defaultValue="secret"
        />
        <Button kind="filled" size="large">
          {t.login}
        </Button>
        <Segmented
          label="x"
          options={t.methods.map((label) => ({ value: label, label }))}
          value={method}
          onChange={setMethod}
        />
        <TextField
          big
          label={t.member}
          labelHidden
          inputMode="tel"
          defaultValue="9123 4567"
          leading={<Button kind="text">+852</Button>}
          trailing={<IconButton label="Scan" icon={<QrCodeIcon size={24} aria-hidden="true" />} />}
        />
      </div>
    </PageFrame>
  )
}

function Decision({ busy, refused, done }: { busy?: boolean; refused?: boolean; done?: boolean }) {
  const buttons: ReactNode = (
    <>
      <Button kind="filled" size="large" busy={busy} busyLabel={t.busy}>
        {t.act}
      </Button>
      <Button kind="text" size="large" disabled={busy}>
        {t.cancel}
      </Button>
    </>
  )
  return (
    <Sheet open onClose={() => undefined} title={t.question} note={t.undo} actions={buttons}>
      <Ticket
        state={done ? 'used' : 'valid'}
        tearing={done}
        stamp={t.stamp}
        title={t.coupon}
        lines={t.period}
        code={code}
        stub={<TicketIcon size={28} aria-hidden="true" />}
        titleAs="p"
      />
      <div>
        <ReceiptRow label={t.member} value={t.name} />
        <ReceiptRow label={t.store} value={t.shop} />
      </div>
      {refused ? <Notice tone="danger">{t.refused}</Notice> : null}
    </Sheet>
  )
}

const languages = [
  ['en-US', 'English'],
  ['zh-CN', '简体中文'],
  ['zh-HK', '繁體中文（香港）'],
  ['zh-TW', '繁體中文（台灣）'],
].map(([value = '', label = '']) => ({ value, label, lang: value }))

function MenuScene() {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(lang)
  return (
    <>
      <header className="flex h-14 items-center justify-end border-b border-line bg-surface px-2">
        <Button ref={anchor} kind="text" size="small" onClick={() => setOpen(!open)}>
          {t.shop}
        </Button>
      </header>
      <Menu open={open} onOpenChange={setOpen} anchor={anchor} label={t.language}>
        <MenuHeader title="Ka Yan Wong" note={t.shop} />
        <MenuSeparator />
        <MenuRadioGroup
          label={t.language}
          value={chosen}
          options={languages}
          onChange={setChosen}
        />
        <MenuSeparator />
        <MenuItem icon={<PasswordIcon size={20} />} onSelect={() => undefined}>
          {t.password}
        </MenuItem>
        <MenuItem
          icon={<SignOutIcon size={20} />}
          onSelect={() => showToast({ tone: 'error', text: t.refused })}
        >
          {t.cancel}
        </MenuItem>
      </Menu>
      <Home />
    </>
  )
}

const scenes: Record<string, ReactNode> = {
  home: <Home />,
  states: <States />,
  fields: <Fields />,
  menu: <MenuScene />,
  sheet: <Decision />,
  busy: <Decision busy />,
  refused: <Decision refused />,
  tear: <Decision done />,
}
const root = document.querySelector('#root')
const page = [
  <div key="scene">{scenes[query.get('scene') ?? 'home']}</div>,
  <Toaster key="toaster" closeLabel="Close" />,
]
if (root) createRoot(root).render(page)
