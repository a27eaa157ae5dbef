import { NativePage } from './native-page.tsx'

export default function RtbScreen() {
  return <NativePage of="rtb" />
}
