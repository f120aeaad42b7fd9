"""Programs that autovec must handle: functions as people write them, each with inputs."""
