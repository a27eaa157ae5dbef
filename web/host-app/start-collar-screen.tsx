import { StartApp } from './start-app.tsx'

export default function StartCollarScreen() {
  return <StartApp app="collar" />
}
