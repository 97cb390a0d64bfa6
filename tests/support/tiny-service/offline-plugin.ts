// The framework loads plugins from the service's own folder.
export { default } from '#scripts/stack/offline-plugin.ts';
