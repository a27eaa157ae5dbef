import { PlacesPage } from './places-page.tsx'

export default function PlacesScreen() {
  return <PlacesPage />
}
