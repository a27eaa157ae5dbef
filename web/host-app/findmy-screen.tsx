import { NativePage } from './native-page.tsx'

export default function FindmyScreen() {
  return <NativePage of="findmy" />
}
