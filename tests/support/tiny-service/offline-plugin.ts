// The framework loads plugins from the service's own folder.
export { default } from '#scripts/dev/stack/offline-plugin.ts';
