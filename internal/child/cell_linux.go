package child

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// own gives the program namespaces of its own: of users, so that no privilege
// is needed, of mounts and of processes.
func own(cmd *exec.Cmd) {
	attr := cmd.SysProcAttr
	if attr == nil {
		attr = &syscall.SysProcAttr{}
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	cmd.SysProcAttr = attr
}

// Enter hides folders and becomes the program that the arguments after "--"
// name by its path and its own arguments. It returns only an error.
func Enter(args []string) error {
	var hidden []string
	for len(args) > 0 && args[0] != "--" {
		hidden, args = append(hidden, args[0][1:]), args[1:]
	}
	const least = 3 // --, path and name
	if len(args) < least {
		return fmt.Errorf("a cell needs a program")
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mounts cannot be made private: %w", err)
	}
	for _, dir := range hidden {
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=4k"); err != nil {
			return fmt.Errorf("%s cannot be hidden: %w", dir, err)
		}
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("other processes cannot be hidden: %w", err)
	}
	if err := powerless(); err != nil {
		return fmt.Errorf("the program cannot be kept from undoing it: %w", err)
	}
	return unix.Exec(args[1], args[2:], os.Environ())
}

// powerless gives up every privilege in the namespaces for good, also that of
// undoing mounts.
func powerless() error {
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL { //nolint:errorlint // a number
			return err
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	var none [2]unix.CapUserData // what root would inherit
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
