import { QRCodeSVG } from 'qrcode.react'
import styles from './QrCode.module.css'

/** Edge in CSS pixels; cameras of phones read it from a screen. */
const SIZE_PX = 192

/** Modules around the code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A QR code. It is black on white in every color theme, because some readers need it. */
export function QrCode({ label, content }: { readonly label: string; readonly content: string }) {
  return (
    <QRCodeSVG
      className={styles.code}
      value={content}
      size={SIZE_PX}
      marginSize={QUIET_ZONE}
      role="img"
      aria-label={label}
    />
  )
}
